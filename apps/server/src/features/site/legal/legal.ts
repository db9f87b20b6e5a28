import { EMPTY_NOTICE, LegalNotice, type legal, listMissingFields } from '@voisol/contract/legal'
import type { Block } from '@voisol/contract/prose'
import { eq } from 'drizzle-orm'
import type { z } from 'zod'
import { loadSiteOwnerId, SITE_OWNER_ID } from '../../../core/site-owner.ts'
import type { Db } from '../../../db/client.ts'
import { legalNotices } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { recordEvent } from '../../../events/events.ts'
import { AppError } from '../../../http/errors.ts'
import { requireCurrentVersion } from '../../../http/record-version.ts'
import { type ContentDeps, loadContentPage } from '../content/index.ts'

const isSiteNotice = eq(legalNotices.companyId, SITE_OWNER_ID)

/** What was kept under an older list of fields is completed with nothing, never with a guess. */
const completeNotice = (stored: Partial<LegalNotice>): LegalNotice => {
  const known = Object.entries(stored).filter(([field]) => field in EMPTY_NOTICE)
  const read = LegalNotice.safeParse({ ...EMPTY_NOTICE, ...Object.fromEntries(known) })
  return read.success ? read.data : EMPTY_NOTICE
}

export async function loadLegalNotice(db: Db) {
  const [row] = await db.select().from(legalNotices).where(isSiteNotice)
  const notice = completeNotice(row?.notice ?? {})
  return { notice, missing: listMissingFields(notice), version: row?.version ?? 0 }
}

/** What the settings say is not said a second time, otherwise, by a text that was written before there were any. */
const SECTIONS_IN_SETTINGS = ['editeur', 'directeur-de-la-publication', 'hebergement']

function removeSectionsInSettings(body: Block[]): Block[] {
  let said = false
  return body.filter((block) => {
    if (block.kind === 'heading' && block.level === 2) said = SECTIONS_IN_SETTINGS.includes(block.id)
    return !said
  })
}

/** The page as visitors read it: what was said, what is still missing, and the text that goes with it. */
export async function loadLegalNoticePage(ctx: ContentDeps) {
  const page = await loadContentPage(ctx, 'page', 'mentions-legales')
  const { notice, missing } = await loadLegalNotice(ctx.db)
  return { ...page, body: removeSectionsInSettings(page.body), notice, missing }
}

type SaveNoticeInput = z.output<NonNullable<(typeof legal.save)['body']>>

export async function saveLegalNotice(tx: Db, who: string, { version, ...notice }: SaveNoticeInput) {
  const companyId = await loadSiteOwnerId(tx)
  const [row] = await tx.select().from(legalNotices).where(isSiteNotice).for('update')
  const before = completeNotice(row?.notice ?? {})
  requireCurrentVersion({ ...before, version: row?.version ?? 0 }, { ...notice, version })
  const values = { notice, updatedAt: new Date(), updatedBy: who, version: version + 1 }
  const [after] = row
    ? await tx.update(legalNotices).set(values).where(isSiteNotice).returning()
    : await tx
        .insert(legalNotices)
        .values({ companyId, ...values })
        .onConflictDoNothing()
        .returning()
  if (!after) throw new AppError('stale')
  const missing = listMissingFields(notice)
  await recordEvent(tx, {
    companyId,
    name: 'notice.changed',
    object: 'mentions-legales',
    data: { missing: missing.length },
  })
  return { before, after: { notice, missing, version: after.version } }
}

export const NOTICE_INCOMPLETE =
  'Les mentions légales du site sont incomplètes : la loi les exige d’un site ouvert au public. L’organisation qui tient le site les renseigne à l’adresse /cms-admin/mentions-legales.'

/** In production every start says what the law asks for and the site does not say yet. */
export async function warnIfNoticeIncomplete({ db, config, log }: Pick<Deps, 'db' | 'config' | 'log'>): Promise<void> {
  if (!config.production) return
  const { missing } = await loadLegalNotice(db)
  if (missing.length > 0) log.warn({ missing }, NOTICE_INCOMPLETE)
}
