import { expect, it } from 'vitest';
import { LOCAL_PRINCIPAL } from '../../../gateway/src/operations/index.ts';
import { openBrowser } from './support/chromium.ts';
import { signInAsOwner } from './support/gateway.ts';
import { expectAccessible, shoot } from './support/page-checks.ts';
import { addAcme, startTeam, withDirectory } from './support/team.ts';

const browser = openBrowser();

for (const path of ['/people', '/access']) {
  it(`on ${path}, says that the organisation shown was removed by somebody else, and whose is shown now`, async () => {
    const running = await startTeam();
    await addAcme(running);
    const by = LOCAL_PRINCIPAL;
    await withDirectory(running, ({ organisations }) =>
      organisations.create(by, { id: 'nova', name: 'Nova' }),
    );
    const page = await browser.page('about:blank');
    await signInAsOwner(page, running, path);
    const choice = page.getByLabel('Organisation');
    await choice.selectOption('Nova');
    await withDirectory(running, ({ organisations }) => organisations.remove(by, 'nova'), true);
    const note = page.getByRole('alert').filter({ hasText: 'Nova was removed' });
    await note.getByText('What is shown now is of Acme.').waitFor();
    await page.getByText('Ben Birch').first().waitFor();
    await expectAccessible(page);
    await shoot(page, `organisation-gone${path.replace('/', '-')}`);
    // one that is chosen is shown for that reason
    await withDirectory(
      running,
      ({ organisations }) => organisations.create(by, { id: 'sun', name: 'Sun' }),
      true,
    );
    await choice.selectOption('Sun');
    await expect.poll(() => note.count()).toBe(0);
  });
}
