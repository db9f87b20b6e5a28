import type { EventData } from '@voisol/contract/events'
import { SEVERITIES, STATES, STATUS_PARTS } from '@voisol/contract/incident-words'
import { siteCompany } from '../../../core/site-company.ts'
import { subscriber } from '../../../core/subscriber.ts'
import type { Db } from '../../../db/client.ts'
import type { Deps } from '../../../deps.ts'
import { enqueue } from '../../../jobs/queue.ts'
import { mailLayout, publicUrl, sendMail } from '../../people/mail/mail.ts'
import { confirmed, linksOf } from './subscriptions.ts'

type Told = EventData<'incident.opened'>

const WHEN = new Intl.DateTimeFormat('fr-FR', { dateStyle: 'long', timeStyle: 'short', timeZone: 'Europe/Paris' })
const when = (instant: string) => WHEN.format(new Date(instant))

const windowWords = ({ startsAt, endsAt }: Told) =>
  endsAt ? [`Du ${when(startsAt)} au ${when(endsAt)}, heure de Paris.`] : []

function words(told: Told) {
  const { kind, title, parts, severity, state, message } = told
  const of = kind === 'maintenance' ? 'Maintenance' : 'Incident'
  const touched = parts.map((part) => STATUS_PARTS[part]).join(', ')
  const about = severity
    ? `${SEVERITIES[severity]}. Partie concernée\u00a0: ${touched}.`
    : `Partie concernée\u00a0: ${touched}.`
  return {
    subject: `${of}\u00a0: ${title} (${STATES[state].toLowerCase()})`,
    paragraphs: [message, about, ...windowWords(told)],
  }
}

/** One message per news and confirmed address: the place of this subscriber moves with them, so none leaves twice. */
async function mailAll(tx: Db, deps: Deps, told: Told) {
  const { secrets, config } = deps
  const { subject, paragraphs } = words(told)
  for (const row of await confirmed(tx)) {
    const { page, oneClick } = linksOf(deps, row)
    const content = mailLayout({
      title: subject,
      paragraphs,
      action: { label: 'Voir l’état du service', url: publicUrl(config, '/status') },
      footer: `Vous avez demandé ces avis sur la page d’état du service.\nVous désabonner\u00a0: ${page}`,
    })
    await sendMail(tx, secrets, {
      to: row.email,
      replyTo: config.SUPPORT_EMAIL,
      subject,
      unsubscribe: oneClick,
      ...content,
    })
  }
}

/** Only what the keeper said: the copies that other companies hear of are the same news. */
export const incidentSubscriber = subscriber({
  name: 'incidents',
  on: ['incident.opened', 'incident.updated', 'incident.resolved'],
  async handle(tx, deps, { companyId, data }) {
    if (companyId !== (await siteCompany(tx))) return
    await mailAll(tx, deps, data)
    await enqueue(tx, 'incidents.tell', { keeperId: companyId, incidentId: data.incidentId })
  },
})
