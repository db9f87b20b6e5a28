import type { BulkLine } from '@voisol/contract/bulk'
import { sql } from 'drizzle-orm'
import type { Chosen } from './chosen-people.ts'
import { line, type Of, type Work } from './people-work.ts'

const MOST_TAGS = 20
type Settled = { line: BulkLine; tags: string[] | null }

function settle(person: Chosen, { add, remove }: Of<'tags'>): Settled {
  const { row } = person
  const tags = [...new Set([...row.tags.filter((one) => !remove.includes(one)), ...add])]
  const isSame = tags.length === row.tags.length && tags.every((one) => row.tags.includes(one))
  if (isSame) return { line: line(person, 'unchanged', 'Rien à changer.'), tags: null }
  if (tags.length > MOST_TAGS)
    return { line: line(person, 'refused', `Au plus ${MOST_TAGS} étiquettes par participant.`), tags: null }
  const message = tags.length ? `Étiquettes\u00a0: ${tags.join(', ')}.` : 'Plus d’étiquette.'
  return { line: line(person, 'done', message), tags }
}

/** Words put on and taken off, in one statement whatever their number. */
export async function tagAll({ tx, actor }: Work, people: Chosen[], action: Of<'tags'>): Promise<BulkLine[]> {
  const settled = people.map((person) => settle(person, action))
  const written = settled.flatMap(({ line: { id }, tags }) => (tags ? [{ id, tags }] : []))
  if (written.length)
    await tx.execute(sql`
      update participants p set tags = v.tags, version = p.version + 1
        from jsonb_to_recordset(${JSON.stringify(written)}::jsonb) as v(id uuid, tags text[])
       where p.company_id = ${actor.companyId} and p.id = v.id`)
  return settled.map(({ line: told }) => told)
}
