import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { KeptDocument } from '../../../../gateway/src/server/http/admin/gateway-sources.ts';
import { useSession } from '../../api/session.ts';
import { Button } from '../../components/button.tsx';
import { ErrorNote } from '../../components/states/error-note.tsx';
import { AddSource } from './add-source.tsx';
import { droppedFile, kindOfFile } from './dropped-file.ts';
import { keepDocument } from './queries.ts';
import { SkillImportDialog } from './skill-import.tsx';
import styles from './sources.module.css';

interface DropZoneProps {
  /** Also offers a button, for whoever has no mouse. */
  readonly button: boolean;
  readonly children: ReactNode;
}

/** The page, on which documents and skills can be dropped anywhere. */
export function DropZone({ button, children }: DropZoneProps) {
  const own = useSession().data?.can.own ?? false;
  const [over, setOver] = useState(false);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const [document, setDocument] = useState<KeptDocument>();
  const [skill, setSkill] = useState<File>();
  const chooser = useRef<HTMLInputElement>(null);

  const take = async (given: Promise<File> | File) => {
    setError(undefined);
    setBusy(true);
    try {
      const file = await given;
      if (kindOfFile(file) === 'skill') setSkill(file);
      else setDocument(await keepDocument(file));
    } catch (thrown) {
      setError(thrown);
    } finally {
      setBusy(false);
    }
  };
  const latest = useRef(take);
  useEffect(() => {
    latest.current = take;
  });

  useEffect(() => {
    if (!own) return;
    const ended = new AbortController();
    const { signal } = ended;
    const holdsFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false;
    addEventListener(
      'dragover',
      (event) => {
        if (!holdsFiles(event)) return;
        event.preventDefault();
        setOver(true);
      },
      { signal },
    );
    addEventListener(
      'dragleave',
      (event) => {
        // left the window, not only one of its parts
        if (event.relatedTarget === null) setOver(false);
      },
      { signal },
    );
    addEventListener(
      'drop',
      (event) => {
        setOver(false);
        if (!holdsFiles(event) || event.dataTransfer === null) return;
        event.preventDefault();
        void latest.current(droppedFile(event.dataTransfer));
      },
      { signal },
    );
    return () => ended.abort();
  }, [own]);

  return (
    <>
      {children}
      {own && button ? (
        <p className={styles['upload']}>
          <input
            ref={chooser}
            type="file"
            className="visually-hidden"
            tabIndex={-1}
            aria-hidden="true"
            accept=".json,.yaml,.yml,.zip,.tgz,.gz,.skill,.md"
            onChange={({ target }) => {
              const [file] = target.files ?? [];
              if (file !== undefined) void take(file);
              target.value = '';
            }}
          />
          <Button waits={busy} onClick={() => chooser.current?.click()}>
            {busy ? 'Uploading…' : 'Upload a document or a skill'}
          </Button>
          <span className={styles['soft']}>
            or drop it on this page: OpenAPI as JSON or YAML, a skill as archive, folder or SKILL.md
          </span>
        </p>
      ) : null}
      {error === undefined ? null : <ErrorNote error={error} title="The file could not be taken" />}
      {over ? (
        <div className={styles['drop']} role="status">
          <p>Drop it to add it</p>
        </div>
      ) : null}
      {document === undefined ? null : (
        <AddSource document={document} onClose={() => setDocument(undefined)} />
      )}
      {skill === undefined ? null : <SkillImportDialog file={skill} onClose={() => setSkill(undefined)} />}
    </>
  );
}
