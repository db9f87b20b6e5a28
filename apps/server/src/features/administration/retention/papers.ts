import { FIXED_RETENTION, formatMonths, RETENTION_KINDS, RETENTION_RULES } from '@voisol/contract/retention-kinds'
import { eq, sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { companies } from '../../../db/schema/index.ts'
import { AppError } from '../../../http/errors.ts'
import { buildConsentPdf } from '../../../pdf/consent-pack.ts'
import { buildRegisterPdf } from '../../../pdf/register.ts'
import { getToday } from '../../../today.ts'
import { listAllConsentTexts } from '../../energy/consents/consents.ts'
import { loadEffectiveRetention } from './retention.ts'
import { buildTreatments, type DataRecipients, SECURITY_MEASURES } from './treatments.ts'

async function loadCompanyDetails(db: Db, companyId: number) {
  const [row] = await db.select().from(companies).where(eq(companies.id, companyId))
  if (!row) throw new AppError('not-found')
  return { name: row.legalName || row.name, siren: row.siren, address: row.address, email: row.email }
}

const getHost = (url: string) => URL.parse(url)?.host ?? url

async function loadDataRecipients(db: Db, companyId: number): Promise<DataRecipients> {
  const { rows } = await db.execute<{
    enedis: boolean
    payments: boolean
    connections: string[]
    webhooks: string[]
  }>(sql`
    select exists (select 1 from enedis_credentials where company_id = ${companyId}) as enedis,
           exists (select 1 from online_providers where company_id = ${companyId}) as payments,
           array(select distinct name from connections where company_id = ${companyId} order by 1) as connections,
           array(select distinct url from webhooks where company_id = ${companyId} order by 1) as webhooks`)
  const found = rows[0] ?? { enedis: false, payments: false, connections: [], webhooks: [] }
  return { ...found, webhooks: [...new Set(found.webhooks.map(getHost))] }
}

/** The GDPR register of processing activities, with the current retention periods and recipients. */
export async function makeRegisterPdf(db: Db, companyId: number): Promise<Uint8Array> {
  const { months } = await loadEffectiveRetention(db, companyId)
  const chosen = RETENTION_KINDS.map((kind) => {
    const { label, since, law } = RETENTION_RULES[kind]
    return { label, time: `${formatMonths(months[kind])} après ${since}`, law }
  })
  return buildRegisterPdf({
    company: await loadCompanyDetails(db, companyId),
    at: new Date(),
    treatments: buildTreatments(months, await loadDataRecipients(db, companyId)),
    times: [...chosen, ...FIXED_RETENTION],
    security: SECURITY_MEASURES,
  })
}

const CONSENT_METHOD_LABELS: Record<string, string> = {
  portal: 'le portail',
  paper: 'un papier signé',
  import: 'une reprise',
}

export async function makeConsentPackPdf(db: Db, companyId: number): Promise<Uint8Array> {
  const { rows } = await db.execute<{ purpose: string; version: string; state: string; method: string; n: number }>(sql`
    select purpose, text_version as version, method, count(*)::int as n,
           case when withdrawn_at is not null then 'withdrawn' when expires_on < ${getToday()} then 'ended' else 'valid' end as state
      from consents where company_id = ${companyId} group by 1, 2, 3, 5`)
  const sum = (of: typeof rows) => of.reduce((all, { n }) => all + n, 0)
  const texts = listAllConsentTexts().map(({ purpose, version, title, text }) => {
    const own = rows.filter((row) => row.purpose === purpose && row.version === version)
    const at = (state: string) => sum(own.filter((row) => row.state === state))
    return { title, version, text, valid: at('valid'), ended: at('ended'), withdrawn: at('withdrawn') }
  })
  const ways = [...Map.groupBy(rows, ({ method }) => method)].map(([method, all]) => ({
    label: CONSENT_METHOD_LABELS[method] ?? method,
    count: sum(all),
  }))
  return buildConsentPdf({ company: await loadCompanyDetails(db, companyId), at: new Date(), texts, ways })
}
