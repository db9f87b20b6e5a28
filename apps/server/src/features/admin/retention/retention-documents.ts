import type { RetentionMonths } from '@voisol/contract/retention'
import { FIXED_RETENTION, formatMonths, RETENTION_KINDS, RETENTION_RULES } from '@voisol/contract/retention-kinds'
import { buildConsentPdf, buildRegisterPdf, type ProcessingActivity } from '@voisol/documents/pdf/data-protection'
import { eq, sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { companies } from '../../../db/schema/index.ts'
import { AppError } from '../../../http/errors.ts'
import { getToday } from '../../../today.ts'
import { listAllConsentTexts } from '../../energy/consents/index.ts'
import { loadEffectiveRetention } from './retention.ts'

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

/** Outside recipients to which an organisation sends data, as configured. */
type DataRecipients = { enedis: boolean; payments: boolean; connections: string[]; webhooks: string[] }

const joinNames = (names: (string | false)[]) => names.filter(Boolean).join(', ') || 'Aucun hors de l’organisation'

/** Processing activities (GDPR, article 30) of an organisation. Recipients follow from its configuration. */
const buildTreatments = (months: RetentionMonths, reach: DataRecipients): ProcessingActivity[] => [
  {
    name: 'Répartition de l’énergie partagée',
    purpose: 'Mesurer, répartir et prouver la part de chaque participant, pas à pas',
    basis: 'Exécution du contrat de participation (article 6-1-b)\u00a0; accord à la collecte de la courbe de charge',
    people: 'Participants consommateurs et producteurs',
    data: 'Identité, PRM, puissance, courbes de charge, parts',
    recipients: joinNames([reach.enedis && 'Enedis (gestionnaire de réseau)', ...reach.connections]),
    time: `Courbes\u00a0: ${formatMonths(months.curves)}, puis sommes. Fichiers reçus\u00a0: ${formatMonths(months.imports)}.`,
  },
  {
    name: 'Facturation et encaissement',
    purpose: 'Établir les factures, encaisser, relancer, tenir les comptes',
    basis: 'Contrat (article 6-1-b)\u00a0; obligation légale (article 6-1-c)',
    people: 'Participants, vendeurs, payeurs',
    data: 'Identité, adresse, kWh facturés, montants, IBAN chiffré, mandats, paiements',
    recipients: joinNames([
      'Vendeurs de l’opération',
      'banque',
      reach.payments && 'prestataire de paiement',
      'administration fiscale sur demande',
    ]),
    time: '10 ans (code de commerce, article L123-22)',
  },
  {
    name: 'Espace des participants',
    purpose: 'Donner à chacun ses chiffres, ses factures et ses choix',
    basis: 'Contrat (article 6-1-b)\u00a0; accord pour l’analyse, la comparaison et les conseils (article 6-1-a)',
    people: 'Participants qui ont un compte',
    data: 'Compte, connexions, accords, notifications',
    recipients: joinNames([]),
    time: `Compte\u00a0: jusqu’à sa fermeture. Accords\u00a0: ${formatMonths(months.consents)} après leur fin. Notifications\u00a0: ${formatMonths(months.notifications)}.`,
  },
  {
    name: 'Support',
    purpose: 'Répondre aux demandes',
    basis: 'Contrat (article 6-1-b)',
    people: 'Participants et équipes',
    data: 'Messages, fichiers joints',
    recipients: joinNames([]),
    time: `${formatMonths(months.tickets)} après le dernier message`,
  },
  {
    name: 'Sécurité et preuve',
    purpose: 'Savoir qui a fait quoi, déceler les intrusions',
    basis: 'Intérêt légitime et obligation de sécurité (articles 6-1-f et 32)',
    people: 'Équipes et participants connectés',
    data: 'Actes, adresse IP, appareil',
    recipients: joinNames(reach.webhooks.map((host) => `webhook vers ${host}`)),
    time: `Journal\u00a0: ${formatMonths(months.audit)}. Sessions\u00a0: 24 heures sans activité.`,
  },
]

const SECURITY_MEASURES = [
  'Accès par personne et par rôle\u00a0; double authentification possible ou exigée\u00a0; sessions closes après 24 heures sans activité.',
  'IBAN, identifiants et messages chiffrés au repos\u00a0; mots de passe hachés.',
  'Cloison entre organisations dans chaque requête, et une seconde fois dans la base.',
  'Journal signé et chaîné\u00a0; factures et mesures qui ne se réécrivent pas.',
  'Copies chiffrées, relues et restaurées à l’essai\u00a0; une donnée effacée disparaît des copies au terme de leur propre durée.',
]
