import { plain, SLACK } from './connectors.ts';
import { type Office, type OfficeOptions, openOffice } from './office.ts';

export const POST = plain('post', 'ReadPost', 'ListBoxes');

/** A group with one signed-in connection of a small API, and Slack to be connected. */
export const smallOffice = (options: OfficeOptions = {}): Promise<Office> =>
  openOffice({
    ...options,
    arm: { connectors: [POST, SLACK], connections: [{ name: 'post', api: 'post' }], ...options.arm },
  });
