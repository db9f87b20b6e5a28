import { EMAILS, PASSWORD } from '../fixtures.ts'
import { expect, expectWhole, join, openAs, said, signInElsewhere, test } from './people.ts'

test('the accountant’s December: controls at zero, a month locked, the FEC, a question', async ({
  request,
  browser,
}) => {
  const admin = { email: EMAILS.admin, password: PASSWORD }
  const boss = { ...admin, token: await signInElsewhere(request, admin), firstName: '', companyId: 1 }
  const accountant = await join(request, boss, { firstName: 'Nour', lastName: 'Besson', role: 'accountant' })
  const page = await openAs(browser, accountant)
  await page.goto('/fiscal-documents?tab=comptabilite')
  const checks = page.getByRole('main').getByRole('listitem')
  for (const name of ['TVA collectée', 'Clients', 'Relevés des producteurs'])
    await expect(checks.filter({ hasText: name })).toContainText('Écart 0,00')
  await checks
    .filter({ hasText: 'TVA collectée' })
    .getByText(/^Voir /)
    .click()
  await expect(page.getByRole('region', { name: 'Contrôle : TVA collectée' })).toBeVisible()
  await expectWhole(page)

  const lock = page.getByRole('button', { name: /^Verrouiller / }).first()
  const month = (await lock.getAttribute('aria-label'))?.replace('Verrouiller ', '') ?? ''
  await lock.click()
  await page.getByRole('button', { name: 'Verrouiller le mois' }).click()
  await expect(said(page)).toContainText('Mois verrouillé')
  await expect(page.getByRole('button', { name: `Verrouiller ${month}` })).toHaveCount(0)

  const coming = page.waitForEvent('download')
  await page.getByRole('button', { name: 'FEC' }).click()
  await page.getByRole('menuitem', { name: 'UTF-8' }).click()
  expect((await coming).suggestedFilename()).toMatch(/^\d{9}FEC\d{8}\.txt$/)

  await page
    .getByRole('button', { name: /^Ouvrir l’écriture / })
    .first()
    .click()
  await page.getByLabel('Votre question').fill('Ce compte est-il le bon ?')
  await page.getByRole('button', { name: 'Poser la question' }).click()
  await expect(page.getByRole('heading', { name: /sans réponse/ })).toBeVisible()
  await expectWhole(page)
})
