import { useState } from 'react';
import type { SourceEntry } from '../../../../gateway/src/server/http/gateway-sources.ts';
import { EntryField } from './entry-field.tsx';
import { entryFrom } from './entry-text.ts';
import { SourceEditor } from './source-editor.tsx';

interface ChangeSourceProps {
  readonly entry: SourceEntry;
  readonly onClose: () => void;
}

/** Another entry for a source that is there. */
export function ChangeSource({ entry: { section, name, value }, onClose }: ChangeSourceProps) {
  const [text, setText] = useState(() => JSON.stringify(value, undefined, 2));
  const entry = entryFrom(text);
  return (
    <SourceEditor
      title={`Change ${name}`}
      action="Save"
      replace
      draft={typeof entry === 'string' ? entry : { section, name, entry }}
      onClose={onClose}
      onSaved={onClose}
    >
      <EntryField text={text} onChange={setText} />
    </SourceEditor>
  );
}
