import { whiteLabel } from '@voisol/contract/white-label'
import { COLOURS } from '@voisol/documents/pdf/style'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { call } from '../../test/client.ts'
import { makeUser } from '../../test/factories.ts'
import { useServer } from '../../test/server.ts'
import { companies, whiteLabels } from '../db/schema/index.ts'
import { loadBrand, toCreditorBrand } from './brand.ts'

const server = useServer()

async function makeNamedCompany() {
  const { companyId, token } = await makeUser(server.db)
  const known = { name: 'Toits de la Guillotière', email: 'bureau@guillotiere.exemple.fr' }
  await server.db.update(companies).set(known).where(eq(companies.id, companyId))
  return { companyId, token }
}

test('a company without settings has its own name and address, and nothing of the product’s', async () => {
  const { companyId } = await makeNamedCompany()
  expect(await loadBrand(server.db, companyId)).toEqual({
    name: 'Toits de la Guillotière',
    colour: COLOURS.night,
    contact: 'bureau@guillotiere.exemple.fr',
  })
})

test('its settings appear on its documents; unset or invalid ones do not', async () => {
  const { companyId, token } = await makeNamedCompany()
  const body = { version: 0, primaryColor: '#8a1e3a', companyName: 'Soleil des Lilas' }
  await call(server, whiteLabel.update, { params: { companyId }, body }, { token })
  const chosen = { name: 'Soleil des Lilas', colour: '#8a1e3a', contact: 'bureau@guillotiere.exemple.fr' }
  expect(await loadBrand(server.db, companyId)).toEqual(chosen)
  const config = { primaryColor: 'prune', companyEmail: 'bonjour@lilas.exemple.fr' }
  await server.db.update(whiteLabels).set({ config }).where(eq(whiteLabels.companyId, companyId))
  expect(await loadBrand(server.db, companyId)).toEqual({
    name: 'Toits de la Guillotière',
    colour: COLOURS.night,
    contact: 'bonjour@lilas.exemple.fr',
  })
})

test('a creditor’s letter has its name, in the colour of the company that sends it', () => {
  const brand = { name: 'Soleil des Lilas', colour: '#8a1e3a', contact: 'bonjour@lilas.exemple.fr' }
  expect(toCreditorBrand(brand, { name: 'École Prévert', email: '' })).toEqual({
    name: 'École Prévert',
    colour: '#8a1e3a',
    contact: '',
  })
})
