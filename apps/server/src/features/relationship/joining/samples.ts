import { addDays } from '@voisol/energy/calendar'
import { and, desc, eq } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { joinPages, operations } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import type { Actor } from '../../../http/actor.ts'
import { getToday } from '../../../today.ts'
import { buildJoinPath, toOperationSlug } from './address.ts'
import {
  buildDecisionMail,
  buildJoinLinkMail,
  buildJoinSignedMail,
  buildSuccessorMail,
  composeJoinMail,
  type JoinMailText,
} from './mails.ts'

export type JoinMailKind =
  | 'joining-link'
  | 'joining-signed'
  | 'joining-accepted'
  | 'joining-refused'
  | 'departure-accepted'
  | 'departure-refused'
  | 'successor'

/** The operation with an open page, or else the newest one. */
async function findSamplePage(db: Db, companyId: number) {
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
  return row && { name: row.name, slug: row.slug ?? toOperationSlug(row.name) }
}

const SAMPLE_REASON = 'Ici, la raison que vous écrivez en refusant.'
const SAMPLE_DAYS = 30

const buildSampleText = (kind: JoinMailKind, name: string, path: string): JoinMailText => {
  const on = addDays(getToday(), SAMPLE_DAYS)
  switch (kind) {
    case 'joining-link':
      return buildJoinLinkMail(name, path)
    case 'joining-signed':
      return buildJoinSignedMail(name, path)
    case 'joining-accepted':
      return buildDecisionMail({ kind: 'join' }, { name, on })
    case 'joining-refused':
      return buildDecisionMail({ kind: 'join' }, { name, reason: SAMPLE_REASON })
    case 'departure-accepted':
      return buildDecisionMail({ kind: 'leave' }, { name, on })
    case 'departure-refused':
      return buildDecisionMail({ kind: 'leave' }, { name, reason: SAMPLE_REASON })
    case 'successor':
      return buildSuccessorMail(name, path)
  }
}

/** A sample mail with the name of the user; its link leads to the page, and to nobody's application. */
export async function buildJoinMailSample(
  { db, config }: Pick<Deps, 'db' | 'config'>,
  { companyId, firstName }: Actor,
  kind: JoinMailKind,
) {
  const page = await findSamplePage(db, companyId)
  if (!page) return undefined
  const words = buildSampleText(kind, page.name, buildJoinPath(companyId, page.slug))
  return composeJoinMail(db, { config }, companyId, { ...words, firstName: kind === 'successor' ? '' : firstName })
}
