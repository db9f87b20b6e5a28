import { EMPTY_NOTICE, LegalNotice, type legal, missingIn } from '@voisol/contract/legal'
import type { Block } from '@voisol/contract/prose'
import { eq } from 'drizzle-orm'
import type { z } from 'zod'
import { record } from '../../../core/events.ts'
import { SITE, siteCompany } from '../../../core/site-company.ts'
import type { Db } from '../../../db/client.ts'
import { legalNotices } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { AppError } from '../../../http/errors.ts'
import { requireVersion } from '../../../http/record-version.ts'
import { type Reader, readContent } from '../content/content.ts'

const ofKeeper = eq(legalNotices.companyId, SITE)

/** What was kept under an older list of fields is completed with nothing, never with a guess. */
const complete = (stored: Partial<LegalNotice>): LegalNotice => {
  const known = Object.entries(stored).filter(([field]) => field in EMPTY_NOTICE)
  const read = LegalNotice.safeParse({ ...EMPTY_NOTICE, ...Object.fromEntries(known) })
  return read.success ? read.data : EMPTY_NOTICE
}

export async function getNotice(db: Db) {
  const [row] = await db.select().from(legalNotices).where(ofKeeper)
  const notice = complete(row?.notice ?? {})
  return { notice, missing: missingIn(notice), version: row?.version ?? 0 }
}

/** What the settings say is not said a second time, otherwise, by a text that was written before there were any. */
const SAID_ABOVE = ['editeur', 'directeur-de-la-publication', 'hebergement']

export function withoutSaid(body: Block[]): Block[] {
  let said = false
  return body.filter((block) => {
    if (block.kind === 'heading' && block.level === 2) said = SAID_ABOVE.includes(block.id)
    return !said
  })
}

/** The page as visitors read it: what was said, what is still missing, and the text that goes with it. */
export async function readNotice(ctx: Reader) {
  const page = await readContent(ctx, 'page', 'mentions-legales')
  const { notice, missing } = await getNotice(ctx.db)
  return { ...page, body: withoutSaid(page.body), notice, missing }
}

type Save = z.output<NonNullable<(typeof legal.save)['body']>>

export async function saveNotice(tx: Db, who: string, { version, ...notice }: Save) {
  const companyId = await siteCompany(tx)
  const [row] = await tx.select().from(legalNotices).where(ofKeeper).for('update')
  const before = complete(row?.notice ?? {})
  requireVersion({ ...before, version: row?.version ?? 0 }, { ...notice, version })
  const values = { notice, updatedAt: new Date(), updatedBy: who, version: version + 1 }
  const [after] = row
    ? await tx.update(legalNotices).set(values).where(ofKeeper).returning()
    : await tx
        .insert(legalNotices)
        .values({ companyId, ...values })
        .onConflictDoNothing()
        .returning()
  if (!after) throw new AppError('stale')
  const missing = missingIn(notice)
  await record(tx, { companyId, name: 'notice.changed', object: 'mentions-legales', data: { missing: missing.length } })
  return { before, after: { notice, missing, version: after.version } }
}

export const NOTICE_INCOMPLETE =
  'Les mentions légales du site sont incomplètes : la loi les exige d’un site ouvert au public. L’organisation qui tient le site les renseigne à l’adresse /cms-admin/mentions-legales.'

/** In production every start says what the law asks for and the site does not say yet. */
export async function warnOfNotice({ db, config, log }: Pick<Deps, 'db' | 'config' | 'log'>): Promise<void> {
  if (!config.production) return
  const { missing } = await getNotice(db)
  if (missing.length > 0) log.warn({ missing }, NOTICE_INCOMPLETE)
}
