import { useEffect, useState } from 'react';
import { Notice } from '../../components/states/notice.tsx';
import styles from './artifacts.module.css';
import type { Artifact } from './queries.ts';

interface ImageViewProps {
  readonly artifact: Artifact;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** Pixels from an address of this page's own; the type is one of the few that hold nothing else. */
export function ImageView({ artifact: { mimeType, name }, bytes }: ImageViewProps) {
  const [url, setUrl] = useState<string>();
  const [broken, setBroken] = useState(false);
  useEffect(() => {
    const made = URL.createObjectURL(new Blob([bytes], { type: mimeType.split(';', 1)[0]! }));
    setUrl(made);
    setBroken(false);
    return () => URL.revokeObjectURL(made);
  }, [bytes, mimeType]);
  if (broken) {
    return (
      <Notice tone="warn" title="This browser cannot read the image">
        The bytes are not what their content type says, or the format is not known here.
      </Notice>
    );
  }
  if (url === undefined) return null;
  return <img className={styles['image']} src={url} alt={name} onError={() => setBroken(true)} />;
}
