import type { ReactNode } from 'react'
import { formatDateTime } from '../../lib/format.ts'
import { INACTIVITY_MS } from '../../lib/session-records.ts'
import { Badge } from '../../ui/badge.tsx'
import { Card } from '../../ui/card.tsx'
import { formatHoursAndMinutes, LOGOUT_REASON_LABELS, shortenId } from './logout-words.ts'
import type { SessionSnapshot } from './snapshot.ts'

const SessionValue = ({ label, children }: { label: string; children: ReactNode }) => (
  <div className="grid gap-0.5">
    <dt className="text-[0.8125rem] text-ink-soft">{label}</dt>
    <dd className="tabular font-medium">{children}</dd>
  </div>
)

const gridClass = 'grid gap-x-8 gap-y-4 sm:grid-cols-2'

function CurrentSession({ values: { info, token, forced, at } }: { values: SessionSnapshot }) {
  return (
    <Card title="Session en cours" description={`Lue le ${formatDateTime(at)}`}>
      <dl className={gridClass}>
        <SessionValue label="Jeton de connexion">
          <Badge tone={token ? 'success' : 'neutral'}>{token ? 'Présent' : 'Absent'}</Badge>
        </SessionValue>
        <SessionValue label="Déconnexion forcée">
          <Badge tone={forced ? 'warning' : 'neutral'}>{forced ? 'Demandée' : 'Non'}</Badge>
        </SessionValue>
        <SessionValue label="Dernière activité">{info ? formatDateTime(info.lastActivity) : '—'}</SessionValue>
        <SessionValue label="Expire sans activité dans">
          {info ? formatHoursAndMinutes(info.lastActivity + INACTIVITY_MS - at) : '—'}
        </SessionValue>
        <SessionValue label="Session">{shortenId(info?.sessionId ?? '')}</SessionValue>
        <SessionValue label="Utilisateur">{shortenId(info?.userId ?? '')}</SessionValue>
      </dl>
    </Card>
  )
}

function StoredState({ values: { state } }: { values: SessionSnapshot }) {
  return (
    <Card title="État enregistré" description="Ce que les autres onglets de ce navigateur en savent.">
      <dl className={gridClass}>
        <SessionValue label="Déconnecté">
          <Badge tone={state?.isLoggedOut ? 'warning' : 'success'}>{state?.isLoggedOut ? 'Oui' : 'Non'}</Badge>
        </SessionValue>
        <SessionValue label="Motif">{state?.reason ? LOGOUT_REASON_LABELS[state.reason] : '—'}</SessionValue>
        <SessionValue label="Heure de déconnexion">
          {state?.logoutTime ? formatDateTime(state.logoutTime) : '—'}
        </SessionValue>
        <SessionValue label="Activité enregistrée">{state ? formatDateTime(state.lastActivity) : '—'}</SessionValue>
        <SessionValue label="Session">{shortenId(state?.sessionId ?? '')}</SessionValue>
        <SessionValue label="Utilisateur">{shortenId(state?.userId ?? '')}</SessionValue>
      </dl>
    </Card>
  )
}

export const SessionValues = ({ values }: { values: SessionSnapshot }) => (
  <div className="grid items-start gap-5 lg:grid-cols-2">
    <CurrentSession values={values} />
    <StoredState values={values} />
  </div>
)
