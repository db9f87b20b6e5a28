import type { JoinSettings, JoinSettingsUpdate } from '@voisol/contract/joining-desk'
import { and, eq, ne } from 'drizzle-orm'
import type { z } from 'zod'
import type { Config } from '../../../config.ts'
import { record } from '../../../core/events.ts'
import { findOperation, type OperationRow } from '../../../core/operation.ts'
import type { Db } from '../../../db/client.ts'
import { joinPages } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError, fieldError } from '../../../http/errors.ts'
import { requireVersion } from '../../../http/record-version.ts'
import { today } from '../../../today.ts'
import { brandUrl, mailBrandOf } from '../../people/mail/mail.ts'
import { pricesOn } from '../../understanding/insights/insights.ts'
import { pathOf, slugOf } from './address.ts'
import { firstEntry } from './notice.ts'
import { DEFAULTS } from './texts.ts'

type Update = z.output<typeof JoinSettingsUpdate>
type Row = typeof joinPages.$inferSelect

export const NOTICE_DAYS = 30

const ofOperation = ({ companyId, id }: Pick<OperationRow, 'companyId' | 'id'>) =>
  and(eq(joinPages.companyId, companyId), eq(joinPages.operationId, id))

/** As it would be if somebody opened it now. */
const proposed = ({ name }: OperationRow) => ({
  slug: slugOf(name),
  isOpen: false,
  ...DEFAULTS,
  agreementVersion: 1,
  noticeDays: NOTICE_DAYS,
  version: 0,
})

async function view(db: Db, config: Config, operation: OperationRow, row: Row | undefined): Promise<JoinSettings> {
  const { companyId } = operation
  const shown = row ?? proposed(operation)
  const { slug, isOpen, presentation, conditions, agreement, agreementVersion, noticeDays, version } = shown
  const brand = await mailBrandOf(db, config, companyId)
  return {
    operationId: operation.id,
    url: brandUrl(config, brand, pathOf(companyId, slug)),
    slug,
    isOpen,
    presentation,
    conditions,
    agreement,
    agreementVersion,
    noticeDays,
    price: (await pricesOn(db, companyId, operation.id, today())).local,
    firstOn: await firstEntry(db, companyId, operation),
    version,
  }
}

export async function joinSettings(db: Db, config: Config, actor: Actor, operationId: string): Promise<JoinSettings> {
  const operation = await findOperation(db, actor, operationId)
  const [row] = await db.select().from(joinPages).where(ofOperation(operation))
  return view(db, config, operation, row)
}

async function requireFreeSlug(tx: Db, { companyId, id }: OperationRow, slug: string) {
  const same = and(eq(joinPages.companyId, companyId), eq(joinPages.slug, slug), ne(joinPages.operationId, id))
  const [other] = await tx.select({ id: joinPages.operationId }).from(joinPages).where(same)
  if (other) throw fieldError('slug', 'Cette adresse est déjà celle d’une autre de vos opérations.', 'conflict')
}

function requireWhole({ isOpen, presentation, agreement }: Update) {
  if (!isOpen) return
  if (!presentation) throw fieldError('presentation', 'Présentez l’opération avant d’ouvrir sa page.')
  if (!agreement) throw fieldError('agreement', 'Écrivez l’accord de participation avant d’ouvrir la page.')
}

async function write(tx: Db, operation: OperationRow, before: Row | undefined, { version: _, ...values }: Update) {
  const { companyId, id: operationId } = operation
  if (!before) {
    const [row] = await tx
      .insert(joinPages)
      .values({ companyId, operationId, ...values })
      .onConflictDoNothing()
      .returning()
    if (!row) throw new AppError('stale')
    return row
  }
  // Another text is another version: who signed the older one signed something else.
  const changed = before.agreement !== values.agreement || before.conditions !== values.conditions
  const [row] = await tx
    .update(joinPages)
    .set({ ...values, agreementVersion: before.agreementVersion + (changed ? 1 : 0), version: before.version + 1 })
    .where(ofOperation(operation))
    .returning()
  if (!row) throw new AppError('not-found')
  return row
}

export async function saveJoinSettings(tx: Db, config: Config, actor: Actor, operationId: string, input: Update) {
  const operation = await findOperation(tx, actor, operationId)
  const [before] = await tx.select().from(joinPages).where(ofOperation(operation)).for('update')
  requireVersion(before ?? { version: 0 }, input)
  requireWhole(input)
  await requireFreeSlug(tx, operation, input.slug)
  const row = await write(tx, operation, before, input)
  const after = await view(tx, config, operation, row)
  const data = { operationId, isOpen: row.isOpen }
  await record(tx, { companyId: operation.companyId, name: 'joining.changed', object: operationId, data })
  return { operation, after }
}
