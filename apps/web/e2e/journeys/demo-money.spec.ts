import { addMonths, dayOf, monthOf } from '@voisol/energy/calendar'
import { DEMO_EMAILS, DEMO_PASSWORD } from '../fixtures.ts'
import { expect, test } from './people.ts'

type Line = { kind: string; price: number; prm: string; trace?: { index?: { value: string } } }
type Snapshot = { lines: Line[]; buyer: { id: string; siret: string; engagement: string } }
type Named = { id: string; name: string }
const THIS = monthOf(dayOf(Math.floor(Date.now() / 60_000)))
const energyOf = ({ lines }: Snapshot) => lines.filter(({ kind }) => kind === 'energy')
const pricesOf = (snapshot: Snapshot) => new Set(energyOf(snapshot).map(({ price }) => price))

test('the demo shows who pays nothing, an index, two prices in a month, a change of holder, a public buyer, an avoir and held cents', async ({
  request,
}) => {
  const login = await request.post('/api/auth/login', { data: { email: DEMO_EMAILS.admin, password: DEMO_PASSWORD } })
  const headers = { authorization: `Bearer ${(await login.json()).token}` }
  const get = async (path: string) => (await request.get(path, { headers })).json()
  const found = async (query: string, size: number): Promise<Snapshot[]> => {
    const { items } = (await get(`/api/invoices?size=${size}&${query}`)) as { items: { id: string }[] }
    return Promise.all(items.map(async ({ id }) => (await get(`/api/invoices/${id}`)).snapshot))
  }
  const { operations } = (await get('/api/invoices/choices')) as { operations: Named[] }
  const idOf = (words: string) => operations.find(({ name }) => name.includes(words))?.id ?? ''

  // What the distributor's figures corrected was settled when the demo was made: an avoir, or cents that are held.
  expect(await found('kind=creditNote', 1)).toHaveLength(1)
  const { items: reviews } = (await get('/api/corrections?size=50')) as {
    items: { summary: { held: { buyers: number } } }[]
  }
  expect(reviews.some(({ summary }) => summary.held.buyers > 0)).toBe(true)
  // Who is at the social price is told the energy, and owes nothing for it.
  const told = await found('kind=statement', 3)
  expect(told.length).toBeGreaterThan(0)
  for (const statement of told) expect([...pricesOf(statement)]).toEqual([0])

  const [indexed] = await found(`kind=invoice&operationId=${idOf('Berges')}`, 1)
  expect(indexed && energyOf(indexed)[0]?.trace?.index?.value).toMatch(/^\d+[.]\d+$/)

  const inMonth = (months: number) =>
    found(`kind=invoice&operationId=${idOf('Tilleuls')}&month=${addMonths(THIS, months)}`, 60)
  const changed = await inMonth(-3)
  expect(changed.filter((one) => pricesOf(one).size === 2).length).toBeGreaterThan(10)

  const moved = await inMonth(-5)
  const holders = Map.groupBy(
    moved.flatMap((one) => energyOf(one).map(({ prm }) => ({ prm, buyer: one.buyer.id }))),
    ({ prm }) => prm,
  )
  expect([...holders.values()].filter((own) => new Set(own.map(({ buyer }) => buyer)).size === 2)).toHaveLength(1)

  const [town] = await found('q=Ville%20de%20Lyon', 1)
  expect(town?.buyer).toMatchObject({ siret: expect.stringMatching(/^\d{14}$/), engagement: 'EJ-2026-004817' })
})
