import { addDays } from '@voisol/energy/calendar'
import { and, desc, eq } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { joinPages, operations } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import type { Actor } from '../../../http/actor.ts'
import { today } from '../../../today.ts'
import { pathOf, slugOf } from './address.ts'
import { composeLetter, decidedWords, linkWords, signedWords, successorWords, type Words } from './mails.ts'

export type JoiningMail =
  | 'joining-link'
  | 'joining-signed'
  | 'joining-accepted'
  | 'joining-refused'
  | 'departure-accepted'
  | 'departure-refused'
  | 'successor'

/** The operation with an open page, else the newest: what its visitors are told. */
async function pageOf(db: Db, companyId: number) {
  const [row] = await db
    .select({ name: operations.name, slug: joinPages.slug })
    .from(operations)
    .leftJoin(
      joinPages,
      and(
        eq(joinPages.companyId, operations.companyId),
        eq(joinPages.operationId, operations.id),
        eq(joinPages.isOpen, true),
      ),
    )
    .where(eq(operations.companyId, companyId))
    .orderBy(joinPages.slug, desc(operations.createdAt))
    .limit(1)
  return row && { name: row.name, slug: row.slug ?? slugOf(row.name) }
}

const REASON = 'Ici, la raison que vous écrivez en refusant.'
const SAMPLE_DAYS = 30

const wordsOf = (kind: JoiningMail, name: string, path: string): Words => {
  const on = addDays(today(), SAMPLE_DAYS)
  switch (kind) {
    case 'joining-link':
      return linkWords(name, path)
    case 'joining-signed':
      return signedWords(name, path)
    case 'joining-accepted':
      return decidedWords({ kind: 'join' }, { name, on })
    case 'joining-refused':
      return decidedWords({ kind: 'join' }, { name, reason: REASON })
    case 'departure-accepted':
      return decidedWords({ kind: 'leave' }, { name, on })
    case 'departure-refused':
      return decidedWords({ kind: 'leave' }, { name, reason: REASON })
    case 'successor':
      return successorWords(name, path)
  }
}

/** As somebody with the name of whoever looks would read it; its link is that of the page, and opens nobody's application. */
export async function joiningMail(
  { db, config }: Pick<Deps, 'db' | 'config'>,
  { companyId, firstName }: Actor,
  kind: JoiningMail,
) {
  const page = await pageOf(db, companyId)
  if (!page) return undefined
  const words = wordsOf(kind, page.name, pathOf(companyId, page.slug))
  return composeLetter(db, { config }, companyId, { ...words, firstName: kind === 'successor' ? '' : firstName })
}
