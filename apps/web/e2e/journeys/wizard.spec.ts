import { buildBearerHeader, expect, expectAccessibleAndNoOverflow, getToast, test } from './people.ts'

test.describe('in an English browser', () => {
  test.use({ locale: 'en-US' })

  test('days read jj/mm/aaaa, an unusual price is asked about, a typed value outlives a file', async ({
    page,
    admin,
  }) => {
    expect(admin.token).not.toBe('')
    await page.goto('/acc-operations/new')
    await page.getByLabel('Nom de l’opération').fill('Résidence des Acacias')
    const day = page.getByLabel('Date de début')
    await day.pressSequentially('01032027')
    await expect(day).toHaveValue('01/03/2027')
    await day.fill('1/3/27')
    await page.getByLabel('Description').focus()
    await expect(day).toHaveValue('01/03/2027')
    await page.getByRole('button', { name: 'Ouvrir le calendrier' }).click()
    await expect(page.getByRole('button', { name: 'lundi 1 mars 2027' })).toBeFocused()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await expect(day).toHaveValue('08/03/2027')
    await day.focus()
    await page.getByLabel('Description').focus()
    await expectAccessibleAndNoOverflow(page)

    await page.goto('/acc-operations/new?etape=5')
    await page.getByLabel('Nom', { exact: true }).fill('Foyer 1')
    await page.getByLabel('PRM de consommation').fill('19 125 759 611 111')
    await page.getByLabel('Puissance souscrite, en kVA').fill('6')
    const lines = ['Nom;PRM;Puissance souscrite (kVA)', 'Roux;19125759611111;9', 'Blanc;123;6']
    const buffer = Buffer.from(lines.join('\n'))
    await page.locator('input[type=file]').setInputFiles({ name: 'voisins.csv', mimeType: 'text/csv', buffer })
    await page.getByRole('button', { name: /Reprendre 1\sligne valable/ }).click()
    await expect(page.getByText('Foyer 1, puissance souscrite : « 6 » et non « 9 ».')).toBeVisible()
    await page.getByLabel('PRM, ligne 3').fill('19125759611112')
    await page.getByRole('button', { name: /Reprendre 1\sligne corrigée/ }).click()
    await expect(page.getByText(/^2\sconsommateurs$/)).toBeVisible()

    await page.goto('/acc-operations/new?etape=7')
    await page.getByLabel('Prix de vente, en c€/kWh').fill('0,13')
    await expect(page.getByText(/Vouliez-vous dire 13\sc€\/kWh\s\?/)).toBeVisible()
    await page.goto('/acc-operations/new?etape=8')
    await expect(page.getByText('08/03/2027')).toBeVisible()
  })
})

test('a place known by its commune alone is set right on the map, with the keyboard', async ({
  page,
  admin,
  request,
}) => {
  const near = { latitude: 45.7412, longitude: 4.8391 }
  const answer = await request.post('/api/acc-operations', {
    headers: buildBearerHeader(admin),
    data: {
      name: 'Halle',
      participants: [
        { kind: 'person', name: 'Foyer 1', prm: '19125759600001', ...near },
        { kind: 'person', name: 'Foyer 2', prm: '19125759600002', postalCode: '69007', city: 'LYON' },
      ],
    },
  })
  await page.goto(`/acc-operations/${(await answer.json()).id}`)
  await expect(page.getByText('À vérifier', { exact: true })).toBeVisible()
  await expectAccessibleAndNoOverflow(page)
  await page.getByLabel('Placer un point sur la carte').selectOption({ label: 'Foyer 2 (à situer)' })
  await page.getByRole('button', { name: /^Déplacer Foyer 2/ }).focus()
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Shift+ArrowLeft')
  await page.getByRole('button', { name: 'Enregistrer cette position' }).click()
  await expect(getToast(page)).toContainText('Point placé')
  await expect(page.getByText('Conforme', { exact: true })).toBeVisible()
})

test('all who match a filter are tagged at once, after a look at what it would do', async ({
  page,
  admin,
  request,
}) => {
  const participants = Array.from({ length: 27 }, (_, at) => ({
    kind: 'person',
    name: `Voisine ${at}`,
    prm: String(19_125_759_600_100 + at),
  }))
  await request.post('/api/acc-operations', {
    headers: buildBearerHeader(admin),
    data: { name: 'Halle', participants },
  })
  await page.goto('/participants?q=voisine&size=25')
  await page.getByLabel('Tout sélectionner').check()
  await page.getByRole('button', { name: /Choisir les 27\sparticipants qui correspondent/ }).click()
  await page.getByRole('button', { name: 'Autres actions' }).click()
  await page.getByRole('menuitem', { name: 'Étiqueter…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Étiqueter' })
  await dialog.getByLabel('À ajouter').fill('bâtiment B')
  await dialog.getByRole('button', { name: 'Vérifier' }).click()
  await expect(dialog.getByRole('status').first()).toContainText(/27\schangements possibles/)
  await expectAccessibleAndNoOverflow(page)
  await dialog.getByRole('button', { name: /Enregistrer 27\schangements/ }).click()
  await expect(getToast(page)).toContainText(/27\sparticipants étiquetés/)
  await page.getByLabel('Étiquette').selectOption({ label: 'bâtiment B (27)' })
  await expect(page).toHaveURL(/tag=b/)
})

test('the tags of one member are changed on her own sheet', async ({ page, admin, request }) => {
  const participants = [{ kind: 'person', name: 'Voisine 0', prm: '19125759600100' }]
  await request.post('/api/acc-operations', {
    headers: buildBearerHeader(admin),
    data: { name: 'Halle', participants },
  })
  await page.goto('/participants')
  await page.getByRole('link', { name: 'Voisine 0', exact: true }).click()
  const sheet = page.getByRole('dialog', { name: 'Voisine 0' })
  const tags = sheet.getByRole('list', { name: 'Étiquettes' }).getByRole('listitem')
  for (const [at, tag] of ['bâtiment B', 'à rappeler'].entries()) {
    await sheet.getByLabel('Nouvelle étiquette').fill(tag)
    await sheet.getByRole('button', { name: 'Ajouter', exact: true }).click()
    await expect(tags).toHaveCount(at + 1)
  }
  await sheet.getByRole('button', { name: 'Retirer bâtiment B' }).click()
  await expect(tags).toHaveText(['à rappeler'])
  await expectAccessibleAndNoOverflow(page)
})

test('several files of curves dropped at once form a queue, each with its state', async ({ page, admin, request }) => {
  const answer = await request.post('/api/acc-operations', {
    headers: buildBearerHeader(admin),
    data: { name: 'Halle' },
  })
  const { id } = await answer.json()
  await page.goto(`/companies/${admin.companyId}/operations/${id}/load-curves?onglet=imports`)
  const file = (name: string, text: string) => ({ name, mimeType: 'text/csv', buffer: Buffer.from(text) })
  await page
    .locator('input[type=file]')
    .setInputFiles([
      file('a.csv', 'Horodate;19125759600001\n01/03/2026 00:00;120\n01/03/2026 00:30;130\n'),
      file('b.csv', 'rien du tout'),
    ])
  const queue = page.getByRole('list', { name: 'Fichiers déposés ensemble' }).getByRole('listitem')
  await expect(queue).toHaveCount(2)
  await expect(queue.filter({ hasText: 'a.csv' })).toContainText(/questions? avant de pouvoir l’enregistrer/)
  await expect(queue.filter({ hasText: 'b.csv' })).toContainText('Refusé')
  await queue.getByRole('button', { name: /^Répondre/ }).click()
  await expect(page.getByRole('button', { name: 'Lire le fichier ainsi' })).toBeVisible()
  await expect(queue).toHaveCount(2)
})
