import type { PortalSettingsUpdate } from '@voisol/contract/portal-management'
import { eq } from 'drizzle-orm'
import type { z } from 'zod'
import { lockCompany } from '../../../core/lock-company.ts'
import { loadPortalDisplay } from '../../../core/portal-shown.ts'
import type { Db } from '../../../db/client.ts'
import { portalSettings } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { requireCurrentVersion } from '../../../http/record-version.ts'
import { normalizePlainText } from '../../../plain-text.ts'

export async function savePortalSettings(tx: Db, { companyId }: Actor, input: z.output<typeof PortalSettingsUpdate>) {
  await lockCompany(tx, companyId)
  const before = await loadPortalDisplay(tx, companyId)
  requireCurrentVersion(before, input)
  const values = { ...input, welcome: normalizePlainText(input.welcome), version: input.version + 1 }
  if (before.version === 0) await tx.insert(portalSettings).values({ companyId, ...values })
  else await tx.update(portalSettings).set(values).where(eq(portalSettings.companyId, companyId))
  return { before, after: await loadPortalDisplay(tx, companyId) }
}
