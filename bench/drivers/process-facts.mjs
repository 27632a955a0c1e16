import { readFileSync } from 'node:fs';

/** Resident and peak memory of a process, MB. Throws when it is gone. */
export function memoryOf(pid) {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const megabytes = (key) => Number(new RegExp(`^${key}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? 0) / 1024;
  return { rss: megabytes('VmRSS'), peak: megabytes('VmHWM') };
}

/** Processor time of a process with its threads and its children, running or ended; milliseconds in ticks of 10 ms. */
export function processorTime(pid) {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const own = fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks) * 10, 0);
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean);
  return children.reduce((sum, child) => sum + ofChild(child), own);
}

/** A child that ends in the meantime counts as its parent's from then on; what it took until now is lost to this look. */
function ofChild(pid) {
  try {
    return processorTime(pid);
  } catch {
    return 0;
  }
}

/** Resident memory of a process and all that it started, MB. */
export function familyMemory(pid) {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean);
  return children.reduce((sum, child) => sum + familyMemory(child), memoryOf(pid).rss);
}
