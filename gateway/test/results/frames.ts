/** As Docker and Podman send what a container wrote: 1 output, 2 errors. */
export function framesOf(
  ...outputs: ReadonlyArray<readonly [kind: number, text: string | Uint8Array]>
): Buffer {
  return Buffer.concat(
    outputs.map(([kind, text]) => {
      const content = Buffer.from(text);
      const head = Buffer.alloc(8);
      head.writeUInt8(kind);
      head.writeUInt32BE(content.length, 4);
      return Buffer.concat([head, content]);
    }),
  );
}
