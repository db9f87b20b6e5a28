import type { Db } from '../src/db/client.ts'
import { operations } from '../src/db/schema/index.ts'

let count = 0

/** An operation as it stands in the database; nobody takes part in it yet. */
export async function makeOperation(
  db: Db,
  { companyId, ...more }: { companyId: number } & Partial<typeof operations.$inferInsert>,
) {
  const name = `Les Tilleuls ${++count}`
  const [operation] = await db
    .insert(operations)
    .values({ companyId, name, status: 'active', ...more })
    .returning()
  if (!operation) throw new Error('no operation')
  return operation
}

/** What the documented call sends: one plant, three homes. */
export const draftOperation = (first = ++count * 10) => ({
  name: 'Les Jardins de Brossolette',
  address: '12 rue Pierre-Brossolette',
  capacity: 36.5,
  participants: [
    { ...who('Copropriété Brossolette'), kind: 'organisation', ...plant(first) },
    ...[1, 2, 3].map((n) => ({ ...who(`Voisin ${first + n}`), ...prm(first + n), ...near(n) })),
  ],
})
const who = (name: string) => ({ name, kind: 'organisation' })
const prm = (n: number) => ({ prm: `191257${String(n).padStart(8, '0')}` })
const near = (n: number) => ({ latitude: 45.76 + n / 1000, longitude: 4.85 })
const plant = (n: number) => ({ ...prm(n), direction: 'production', peakWatts: 36_000, ...near(0) })
