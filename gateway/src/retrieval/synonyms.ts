import { stem } from './stem.ts';

/** Words of APIs in general that mean the same to whoever asks; each stands for all others of its group. */
const GROUPS: readonly string[] = [
  'get fetch list show find search retrieve read view display lookup query browse check see',
  'create add make new insert generate register post open',
  'update edit change set modify put patch adjust replace rename alter',
  'delete remove drop destroy erase clear',
  'cancel abort stop terminate end',
  'start launch run execute trigger begin',
  'send deliver submit dispatch',
  'buy purchase order',
  'book reserve schedule',
  'enable activate',
  'disable deactivate',
  'upload import attach',
  'download export',
  'join merge combine',
  'copy clone duplicate fork',
  'convert transform translate',
  'compute calculate estimate',
  'validate verify check',
  'picture image photo',
  'video clip movie film',
  'user account member person people',
  'customer client',
  'employee staff worker',
  'company business firm organization organisation org',
  'info information detail data',
  'config configuration setting preference',
  'repo repository',
  'folder directory',
  'document file',
  'message msg mail email',
  'comment remark note reply',
  'issue ticket bug',
  'price cost fee rate',
  'money currency',
  'latest recent newest current',
  'address location place position',
  'country nation',
  'near nearby around close',
  'id identifier',
  'auth authentication login signin',
  'logout signout',
  'signup register',
  'job task',
  'team group',
  'tag label',
  'history log past historical',
  'statistic metric analytics',
  'recommend suggest recommendation suggestion similar',
  'trip travel',
  'meeting appointment event',
  'article news',
  'environment env',
  'database db',
  'application app',
  'approve accept confirm',
  'reject decline deny refuse',
  'block ban suspend',
  'restore recover undo',
  'resume continue',
  'subscribe follow watch',
  'pay payment charge',
  'invoice bill',
  'refund reimburse',
  'candidate applicant',
  'salary wage',
  'vacation holiday leave absence',
  'notification alert',
  'secret password credential token',
  'error failure fault',
  'limit quota',
  'link url',
  'phone telephone mobile',
];

/** Stem to the stems that may stand for it; made when an index is. */
export function synonymsByStem(): ReadonlyMap<string, readonly string[]> {
  const byStem = new Map<string, Set<string>>();
  for (const group of GROUPS) {
    const stems = [...new Set(group.split(' ').map(stem))];
    for (const one of stems) {
      const others = byStem.get(one) ?? new Set();
      for (const other of stems) if (other !== one) others.add(other);
      byStem.set(one, others);
    }
  }
  return new Map([...byStem].map(([one, others]) => [one, [...others]]));
}
