import { CodeBlock } from '../../components/code-block.tsx';

/** How whoever owns the machine gets a link. */
export function OwnerWay() {
  return (
    <>
      <p>
        Run this on the machine of the gateway. It prints a link that signs you in, once, within five minutes.
      </p>
      <CodeBlock text="npx toolcrib console" label="command" />
      <p>The owner decides every approval, adds sources and accepts changed definitions.</p>
    </>
  );
}
