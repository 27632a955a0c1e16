/** One instruction of a Dockerfile; continued lines are joined. */
export interface Instruction {
  readonly name: string;
  readonly text: string;
  /** Number of the stage that it belongs to; the last one is the image. */
  readonly stage: number;
}

export function readDockerfile(text: string): Instruction[] {
  const lines = text
    .replace(/\\\n/g, ' ')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
  let stage = -1;
  return lines.map((line) => {
    const [, name = '', rest = ''] = /^([A-Z]+)\s+(.*)$/.exec(line) ?? [];
    if (name === 'FROM') stage += 1;
    return { name, text: rest.replace(/\s+/g, ' '), stage };
  });
}

/** What is wrong with an image file: rules of hadolint by their numbers, and a few of our own. */
export function dockerfileFaults(instructions: readonly Instruction[]): string[] {
  const faults: string[] = [];
  const stages = new Set<string>();
  const last = Math.max(...instructions.map(({ stage }) => stage));
  for (const { name, text } of instructions) {
    const say = (rule: string) => faults.push(`${rule}: ${name} ${text}`);
    if (
      !/^(FROM|WORKDIR|COPY|RUN|LABEL|ENV|ARG|VOLUME|USER|EXPOSE|HEALTHCHECK|STOPSIGNAL|ENTRYPOINT|CMD)$/.test(
        name,
      )
    )
      say('unknown or unwanted instruction');
    if (name === 'FROM') {
      const [, image = '', as] = /^(\S+)(?: AS (\S+))?$/.exec(text) ?? [];
      // DL3006, DL3007: a version of its own, to the patch
      if (!stages.has(image) && !/:\d+\.\d+(\.\d+)?(-[\w.]+)*$/.test(image)) say('DL3006 not pinned');
      if (as !== undefined) stages.add(as);
    }
    if (name === 'WORKDIR' && !text.startsWith('/')) say('DL3000 relative');
    if (name === 'RUN' && /\bsudo\b/.test(text)) say('DL3004 sudo');
    if (name === 'RUN' && /apt-get install(?!.*--no-install-recommends)/.test(text)) say('DL3015 recommends');
    if (name === 'RUN' && /\bnpm (install|i)\b/.test(text)) say('not by the lock file');
    if (name === 'RUN' && /\b(curl|wget)\b/.test(text)) say('fetches what nothing pins');
    if ((name === 'CMD' || name === 'ENTRYPOINT') && !text.startsWith('[')) say('DL3025 not as a list');
    if ((name === 'ENV' || name === 'ARG') && /(TOKEN|SECRET|PASSWORD|KEY)\w*[= ]/i.test(text))
      say('a secret');
    if (name === 'COPY' && /\.env|\.npmrc\.|id_rsa/.test(text)) say('copies a secret');
    if (name === 'EXPOSE' && Number(text) < 1024) say('needs root');
  }
  const user = instructions.findLast(({ name, stage }) => name === 'USER' && stage === last);
  // DL3002, and by number, which orchestrators can check
  if (user === undefined || !/^[1-9]\d*(:[1-9]\d*)?$/.test(user.text))
    faults.push('DL3002: the last user is root');
  if (!instructions.some(({ name, stage }) => name === 'HEALTHCHECK' && stage === last))
    faults.push('no health check');
  return faults;
}

/** Sources of COPY out of the build context, not out of another stage. */
export function copiedFromContext(instructions: readonly Instruction[]): string[] {
  return instructions
    .filter(({ name, text }) => name === 'COPY' && !text.startsWith('--from='))
    .flatMap(({ text }) => text.split(' ').slice(0, -1));
}
