import { expectNoOverflow } from '../fixtures.ts'
import { keyboardDriver } from './hands.ts'
import { buildBearerHeader, expect, expectAccessibleAndNoOverflow, getToast, test } from './people.ts'

test('an example is tried and removed, and the organisation is as it was', async ({ page, admin }) => {
  test.slow() // a building is made, from its meters to its invoices
  await page.goto('/dashboard')
  await page.getByRole('button', { name: 'Essayer avec des données d’exemple' }).click()
  const banner = page.getByRole('region', { name: 'Organisation d’exemple' })
  await expect(banner).toBeVisible()
  await expect(page.getByRole('link', { name: 'Résidence Les Tilleuls (exemple)' }).first()).toBeVisible({
    timeout: 90_000,
  })
  await banner.getByRole('button', { name: 'Supprimer l’exemple' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Supprimer l’exemple' }).click()
  await expect(getToast(page)).toContainText('Exemple supprimé')
  await expect(banner).toHaveCount(0)
  const me = await (await page.request.get('/api/auth/me', { headers: buildBearerHeader(admin) })).json()
  expect(me.companies).toHaveLength(1)
})

test('durations are changed with a reason, looked at, and accepted', async ({ page, admin }) => {
  expect(admin.token).not.toBe('')
  await page.goto('/settings?onglet=vie-des-donnees')
  await page.getByLabel('Demandes au support').selectOption('12')
  await page.getByRole('button', { name: 'Enregistrer les durées' }).click()
  await expect(page.getByText('Dites pourquoi, en quelques mots.', { exact: true })).toBeVisible()
  await page.getByLabel('Raison du changement').fill('Décision du bureau.')
  await page.getByRole('button', { name: 'Enregistrer les durées' }).click()
  await expect(page.getByText(/Demandes au support, 1\san/)).toBeVisible()
  await page.getByRole('button', { name: 'Voir ce qui serait supprimé' }).click()
  await expect(page.getByText('Rien n’a dépassé sa durée.')).toBeVisible()
  await page.getByRole('button', { name: 'Accepter les suppressions' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Accepter les suppressions' }).click()
  await expect(page.getByText('Acceptées', { exact: true })).toBeVisible()
  await expectAccessibleAndNoOverflow(page)
})

test('a person is erased by keyboard on a telephone, after what goes and what the law keeps was read', async ({
  page,
  admin,
  request,
}) => {
  const headers = buildBearerHeader(admin)
  const email = `iris-${crypto.randomUUID().slice(0, 8)}@exemple.fr`
  const make = async (path: string, data: object) => {
    const answer = await request.post(path, { headers, data })
    expect(answer.status(), await answer.text()).toBe(200)
    return String((await answer.json()).id)
  }
  const operationId = await make('/api/acc-operations', { name: 'Les Vergers', startsOn: '2022-01-01' })
  const id = await make('/api/participants', { kind: 'person', firstName: 'Iris', lastName: 'Fontaine', email })
  const seat = { operationId, participantId: id, prm: '30001234569173', direction: 'consumption' }
  await make('/api/participations', { ...seat, startsOn: '2022-03-01', endsOn: '2022-11-01' })
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(`/participants?participant=${id}`)
  const sheet = page.getByRole('dialog', { name: /Iris Fontaine/ })
  await keyboardDriver.press(sheet.getByRole('button', { name: 'Voir ce qui partirait' }))
  await expect(sheet.getByText('Nom, coordonnées, compte bancaire, notes et étiquettes')).toBeVisible()
  await expect(sheet.getByText('Journal des actes')).toBeVisible()
  await expectNoOverflow(page)
  await keyboardDriver.press(sheet.getByRole('button', { name: 'Effacer la personne' }))
  await keyboardDriver.press(page.getByRole('alertdialog').getByRole('button', { name: 'Effacer la personne' }))
  const erased = page.getByRole('dialog', { name: 'Personne effacée' })
  await expect(erased.getByText(/^Effacée le/)).toBeVisible()
  await expectAccessibleAndNoOverflow(page)
  const answer = await request.get('/api/participants', { headers })
  expect(await answer.text()).not.toMatch(/Iris|Fontaine|iris-/)
})
