import type { APIRequestContext } from '@playwright/test'
import { buildBearerHeader, expect, expectAccessibleAndNoOverflow, getToast, type Person, test } from './people.ts'

/** The 15th of next month, when those who join today take part; as it is typed and shown. */
const fifteenth = () => {
  const [year, month] = [new Date().getUTCFullYear(), new Date().getUTCMonth()]
  return `15/${new Date(Date.UTC(year, month + 1, 15)).toISOString().slice(0, 7).split('-').reverse().join('/')}`
}

/** One plant, two homes. */
async function makeOperation(request: APIRequestContext, admin: Person): Promise<string> {
  const home = (n: number) => ({ name: `Voisine ${n}`, kind: 'organisation', prm: `1912575963${1000 + n}` })
  const plant = { ...home(0), name: 'École du Four', direction: 'production', peakWatts: 36_000 }
  const made = await request.post('/api/acc-operations', {
    headers: buildBearerHeader(admin),
    data: { name: 'Les Tuiles', address: '3 rue du Four', capacity: 36.5, participants: [plant, home(1), home(2)] },
  })
  expect(made.ok()).toBe(true)
  const { id }: { id: string } = await made.json()
  return id
}

test('change the tariff from the 15th: who pays what is shown while it is typed, and adoption locks it', async ({
  page,
  admin,
  request,
}) => {
  const id = await makeOperation(request, admin)
  const day = fifteenth()
  const first = await request.post(`/api/acc-operations/${id}/tariffs`, {
    headers: buildBearerHeader(admin),
    data: { startsOn: '2026-01-01', rules: [{ id: 'prix', price: 1543 }] },
  })
  const draft = await first.json()
  await request.post(`/api/tariffs/${draft.id}/adopt`, {
    headers: buildBearerHeader(admin),
    data: { version: draft.version },
  })
  await page.goto(`/advanced-billing?tab=tarifs&operation=${id}`)
  await page.getByRole('link', { name: 'Copier dans une nouvelle version' }).click()
  await page.getByLabel('Applicable à partir du').fill(day)
  const price = page.getByLabel('Prix : Tous les acheteurs, à toute heure')
  await price.fill('1,55')
  await expect(page.getByText(/1,55\sc€\/kWh est inhabituel/)).toBeVisible()
  await price.fill('16,11')
  await expect(page.getByRole('region', { name: 'Grille des prix' }).getByText('16,11')).toBeVisible()
  await page.getByRole('button', { name: 'Enregistrer le brouillon' }).click()
  await page.getByRole('button', { name: 'Adopter ce tarif' }).click()
  const question = page.getByRole('alertdialog')
  await expect(question).toContainText(`à partir du ${day}`)
  await question.getByRole('button', { name: 'Adopter ce tarif' }).click()
  await expect(getToast(page)).toContainText('Version 2 adoptée')
  await expect(page.getByText('Cette version ne change plus.')).toBeVisible()
  await expect(page.getByRole('link', { name: `du 01/01/2026 au ${day} exclu` })).toBeVisible()
  await expectAccessibleAndNoOverflow(page)
})
