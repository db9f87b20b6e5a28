import type { BulkLine } from '@voisol/contract/bulk'
import { sql } from 'drizzle-orm'
import type { SelectedParticipant } from './chosen-people.ts'
import { type BulkActionOfKind, type BulkWorkContext, toBulkLine } from './people-work.ts'

const MAX_TAGS_PER_PARTICIPANT = 20
type TagChange = { line: BulkLine; tags: string[] | null }

function computeTagChange(person: SelectedParticipant, { add, remove }: BulkActionOfKind<'tags'>): TagChange {
  const { row } = person
  const tags = [...new Set([...row.tags.filter((one) => !remove.includes(one)), ...add])]
  const isSame = tags.length === row.tags.length && tags.every((one) => row.tags.includes(one))
  if (isSame) return { line: toBulkLine(person, 'unchanged', 'Rien à changer.'), tags: null }
  if (tags.length > MAX_TAGS_PER_PARTICIPANT)
    return {
      line: toBulkLine(person, 'refused', `Au plus ${MAX_TAGS_PER_PARTICIPANT} étiquettes par participant.`),
      tags: null,
    }
  const message = tags.length ? `Étiquettes\u00a0: ${tags.join(', ')}.` : 'Plus d’étiquette.'
  return { line: toBulkLine(person, 'done', message), tags }
}

/** Adds and removes tags in one statement, whatever their number. */
export async function changeTags(
  { tx, actor }: BulkWorkContext,
  people: SelectedParticipant[],
  action: BulkActionOfKind<'tags'>,
): Promise<BulkLine[]> {
  const tagChanges = people.map((person) => computeTagChange(person, action))
  const written = tagChanges.flatMap(({ line: { id }, tags }) => (tags ? [{ id, tags }] : []))
  if (written.length)
    await tx.execute(sql`
      update participants p set tags = v.tags, version = p.version + 1
        from jsonb_to_recordset(${JSON.stringify(written)}::jsonb) as v(id uuid, tags text[])
       where p.company_id = ${actor.companyId} and p.id = v.id`)
  return tagChanges.map(({ line: bulkLine }) => bulkLine)
}
