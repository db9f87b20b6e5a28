import type { EventData } from '@voisol/contract/events'
import { ALL_INCIDENT_STATES, INCIDENT_SEVERITY_LABELS, STATUS_PARTS } from '@voisol/contract/incident-states'
import { loadSiteOwnerId } from '../../../core/site-owner.ts'
import type { Db } from '../../../db/client.ts'
import type { Deps } from '../../../deps.ts'
import { defineSubscriber } from '../../../events/subscriber.ts'
import { enqueue } from '../../../jobs/queue.ts'
import { buildPublicUrl, renderMail, sendMail } from '../../identity/mail/index.ts'
import { buildSubscriberLinks, listConfirmedSubscribers } from './status-subscribers.ts'

type IncidentData = EventData<'incident.opened'>

const DATE_TIME_FORMAT = new Intl.DateTimeFormat('fr-FR', {
  dateStyle: 'long',
  timeStyle: 'short',
  timeZone: 'Europe/Paris',
})
const formatDateTime = (instant: string) => DATE_TIME_FORMAT.format(new Date(instant))

const formatWindow = ({ startsAt, endsAt }: IncidentData) =>
  endsAt ? [`Du ${formatDateTime(startsAt)} au ${formatDateTime(endsAt)}, heure de Paris.`] : []

function buildIncidentMail(news: IncidentData) {
  const { kind, title, parts, severity, state, message } = news
  const of = kind === 'maintenance' ? 'Maintenance' : 'Incident'
  const partLabels = parts.map((part) => STATUS_PARTS[part]).join(', ')
  const about = severity
    ? `${INCIDENT_SEVERITY_LABELS[severity]}. Partie concernée\u00a0: ${partLabels}.`
    : `Partie concernée\u00a0: ${partLabels}.`
  return {
    subject: `${of}\u00a0: ${title} (${ALL_INCIDENT_STATES[state].toLowerCase()})`,
    paragraphs: [message, about, ...formatWindow(news)],
  }
}

/**
 * One mail per update and confirmed address: they are queued in the transaction that moves the subscriber's position,
 * so that none is sent twice.
 */
async function mailSubscribers(tx: Db, deps: Deps, news: IncidentData) {
  const { secrets, config } = deps
  const { subject, paragraphs } = buildIncidentMail(news)
  for (const row of await listConfirmedSubscribers(tx)) {
    const { page, oneClick } = buildSubscriberLinks(deps, row)
    const content = renderMail({
      title: subject,
      paragraphs,
      action: { label: 'Voir l’état du service', url: buildPublicUrl(config, '/status') },
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

/** Only the original event counts: the copies for other companies carry the same update. */
export const incidentSubscriber = defineSubscriber({
  name: 'incidents',
  on: ['incident.opened', 'incident.updated', 'incident.resolved'],
  async handle(tx, deps, { companyId, data }) {
    if (companyId !== (await loadSiteOwnerId(tx))) return
    await mailSubscribers(tx, deps, data)
    await enqueue(tx, 'incidents.tell', { keeperId: companyId, incidentId: data.incidentId })
  },
})
