import type { Configuration } from '../config/index.ts';
import type { Finding } from './finding.ts';

/** What nobody asks for any more, and what nobody can hold. */
export function checkPermissions({ sources, auth }: Configuration): Finding[] {
  return Object.entries(sources).flatMap(([name, { permissions }]): Finding[] => {
    if (permissions === undefined) return [];
    const check = `permissions of ${name}`;
    if (!permissions.enabled) {
      return [
        {
          check,
          status: 'warning',
          message: 'They are not checked: operations are offered whatever permissions they ask for.',
          next: 'The service still decides. To check here too, leave out --no-permission-check and `permissions: false`.',
        },
      ];
    }
    if (permissions.probe !== undefined || auth.mode === 'team') {
      const asked = permissions.probe === undefined ? 'roles of the team' : `GET ${permissions.probe.path}`;
      return [
        {
          check,
          status: 'ok',
          message: `Checked by ${asked}${permissions.probe === undefined ? '' : '; what it answers, `toolcrib explain TOOL` says'}.`,
        },
      ];
    }
    return [
      {
        check,
        status: 'warning',
        message: 'Nobody can hold them: the service is not asked for roles, and there is no team.',
        next: `Set sources.${name}.permissions.probe, or \`permissions: false\`.`,
      },
    ];
  });
}
