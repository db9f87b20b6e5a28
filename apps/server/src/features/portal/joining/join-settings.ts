import type { JoinSettings, JoinSettingsUpdate } from '@voisol/contract/joining-management'
import { addDays } from '@voisol/energy/calendar'
import { foldText } from '@voisol/file-formats/french'
import { and, eq, ne } from 'drizzle-orm'
import type { z } from 'zod'
import type { Config } from '../../../config.ts'
import { type OperationRow, requireVisibleOperation } from '../../../core/access-scopes.ts'
import type { Db } from '../../../db/client.ts'
import { joinPages } from '../../../db/schema/index.ts'
import { recordEvent } from '../../../events/events.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError, fieldError } from '../../../http/errors.ts'
import { requireCurrentVersion } from '../../../http/record-version.ts'
import { getToday } from '../../../today.ts'
import { loadEnergyPrices } from '../../analytics/insights/index.ts'
import { loadSettingsOn } from '../../billing/settings/index.ts'
import { buildBrandUrl, loadMailBrand } from '../../identity/mail/index.ts'
import { DEFAULT_JOIN_TEXTS } from './signed-documents.ts'

/**
 * A readable slug, then the number of the company, which makes the address unique without a lookup in all companies.
 */
export const buildJoinAddress = (companyId: number, slug: string) => `${slug}-${companyId}`
export const buildJoinPath = (companyId: number, slug: string) => `/rejoindre/${buildJoinAddress(companyId, slug)}`

const MAX_COMPANY_ID = 2_147_483_647

export function parseJoinAddress(address: string): { companyId: number; slug: string } | undefined {
  const [, slug, number] = /^([a-z0-9]+(?:-[a-z0-9]+)*)-([1-9]\d{0,9})$/.exec(address) ?? []
  const companyId = Number(number)
  return slug && companyId <= MAX_COMPANY_ID ? { companyId, slug } : undefined
}

const MAX_SLUG_LENGTH = 60

/** The name of an operation as a URL slug. */
export const toOperationSlug = (name: string) =>
  foldText(name)
    .replaceAll('œ', 'oe')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_SLUG_LENGTH)
    .replace(/^-|-$/g, '') || 'operation'

/** Days of notice that the distributor needs for a change of members, from the company's settings. */
async function loadDistributorNoticeDays(db: Db, companyId: number): Promise<number> {
  return (await loadSettingsOn(db, companyId, getToday()))['duty.movementDays'].value
}

type OperationStart = { startsOn: string | null }

/** The first day for which the distributor can still be notified, and not before the operation starts. */
export async function loadFirstEntryDay(db: Db, companyId: number, { startsOn }: OperationStart): Promise<string> {
  const earliest = addDays(getToday(), await loadDistributorNoticeDays(db, companyId))
  return startsOn && startsOn > earliest ? startsOn : earliest
}

type ExitNotice = { startsOn: string; noticeDays: number }

/** The notice period of the operation, or that of the distributor if longer. */
export async function loadFirstExitDay(
  db: Db,
  companyId: number,
  { startsOn, noticeDays }: ExitNotice,
): Promise<string> {
  const days = Math.max(noticeDays, await loadDistributorNoticeDays(db, companyId))
  const first = addDays(getToday(), days)
  return first > startsOn ? first : addDays(startsOn, 1)
}

type JoinSettingsInput = z.output<typeof JoinSettingsUpdate>
type Row = typeof joinPages.$inferSelect

export const DEFAULT_NOTICE_DAYS = 30

const isPageOfOperation = ({ companyId, id }: Pick<OperationRow, 'companyId' | 'id'>) =>
  and(eq(joinPages.companyId, companyId), eq(joinPages.operationId, id))

/** The default settings of a page that has not been saved yet. */
const getDefaultSettings = ({ name }: OperationRow) => ({
  slug: toOperationSlug(name),
  isOpen: false,
  ...DEFAULT_JOIN_TEXTS,
  agreementVersion: 1,
  noticeDays: DEFAULT_NOTICE_DAYS,
  version: 0,
})

async function loadSettingsView(
  db: Db,
  config: Config,
  operation: OperationRow,
  row: Row | undefined,
): Promise<JoinSettings> {
  const { companyId } = operation
  const shown = row ?? getDefaultSettings(operation)
  const { slug, isOpen, presentation, conditions, agreement, agreementVersion, noticeDays, version } = shown
  const brand = await loadMailBrand(db, config, companyId)
  return {
    operationId: operation.id,
    url: buildBrandUrl(config, brand, buildJoinPath(companyId, slug)),
    slug,
    isOpen,
    presentation,
    conditions,
    agreement,
    agreementVersion,
    noticeDays,
    price: (await loadEnergyPrices(db, companyId, operation.id, getToday())).local,
    firstOn: await loadFirstEntryDay(db, companyId, operation),
    version,
  }
}

export async function loadJoinSettings(
  db: Db,
  config: Config,
  actor: Actor,
  operationId: string,
): Promise<JoinSettings> {
  const operation = await requireVisibleOperation(db, actor, operationId)
  const [row] = await db.select().from(joinPages).where(isPageOfOperation(operation))
  return loadSettingsView(db, config, operation, row)
}

async function requireFreeSlug(tx: Db, { companyId, id }: OperationRow, slug: string) {
  const same = and(eq(joinPages.companyId, companyId), eq(joinPages.slug, slug), ne(joinPages.operationId, id))
  const [other] = await tx.select({ id: joinPages.operationId }).from(joinPages).where(same)
  if (other) throw fieldError('slug', 'Cette adresse est déjà celle d’une autre de vos opérations.', 'conflict')
}

function requireCompleteSettings({ isOpen, presentation, agreement }: JoinSettingsInput) {
  if (!isOpen) return
  if (!presentation) throw fieldError('presentation', 'Présentez l’opération avant d’ouvrir sa page.')
  if (!agreement) throw fieldError('agreement', 'Écrivez l’accord de participation avant d’ouvrir la page.')
}

async function storeSettings(
  tx: Db,
  operation: OperationRow,
  before: Row | undefined,
  { version: _, ...values }: JoinSettingsInput,
) {
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
  // A changed text is a new version, because earlier applicants signed the old one.
  const changed = before.agreement !== values.agreement || before.conditions !== values.conditions
  const [row] = await tx
    .update(joinPages)
    .set({ ...values, agreementVersion: before.agreementVersion + (changed ? 1 : 0), version: before.version + 1 })
    .where(isPageOfOperation(operation))
    .returning()
  if (!row) throw new AppError('not-found')
  return row
}

export async function saveJoinSettings(
  tx: Db,
  config: Config,
  actor: Actor,
  operationId: string,
  input: JoinSettingsInput,
) {
  const operation = await requireVisibleOperation(tx, actor, operationId)
  const [before] = await tx.select().from(joinPages).where(isPageOfOperation(operation)).for('update')
  requireCurrentVersion(before ?? { version: 0 }, input)
  requireCompleteSettings(input)
  await requireFreeSlug(tx, operation, input.slug)
  const row = await storeSettings(tx, operation, before, input)
  const after = await loadSettingsView(tx, config, operation, row)
  const data = { operationId, isOpen: row.isOpen }
  await recordEvent(tx, { companyId: operation.companyId, name: 'joining.changed', object: operationId, data })
  return { operation, after }
}
