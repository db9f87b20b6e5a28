import type { Db } from '../src/db/client.ts'
import { operations } from '../src/db/schema/index.ts'

let count = 0

/** An operation inserted into the database, without members. */
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

/** The body of the documented call: one plant, three homes. */
export const buildOperationDraft = (first = ++count * 10) => ({
  name: 'Les Jardins de Brossolette',
  address: '12 rue Pierre-Brossolette',
  capacity: 36.5,
  participants: [
    { ...buildHolder('Copropriété Brossolette'), kind: 'organisation', ...buildPlantFields(first) },
    ...[1, 2, 3].map((n) => ({
      ...buildHolder(`Voisin ${first + n}`),
      ...buildPrmField(first + n),
      ...buildPlaceNearby(n),
    })),
  ],
})
const buildHolder = (name: string) => ({ name, kind: 'organisation' })
const buildPrmField = (n: number) => ({ prm: `191257${String(n).padStart(8, '0')}` })
const buildPlaceNearby = (n: number) => ({ latitude: 45.76 + n / 1000, longitude: 4.85 })
const buildPlantFields = (n: number) => ({
  ...buildPrmField(n),
  direction: 'production',
  peakWatts: 36_000,
  ...buildPlaceNearby(0),
})
