import type { ReactNode } from 'react'
import { dateTime } from '../../lib/format.ts'
import { INACTIVITY_MS } from '../../lib/session-records.ts'
import { Badge } from '../../ui/badge.tsx'
import { Card } from '../../ui/card.tsx'
import { duration, REASONS, short } from './logout-words.ts'
import type { Snapshot } from './snapshot.ts'

const Value = ({ label, children }: { label: string; children: ReactNode }) => (
  <div className="grid gap-0.5">
    <dt className="text-[0.8125rem] text-ink-soft">{label}</dt>
    <dd className="tabular font-medium">{children}</dd>
  </div>
)

const grid = 'grid gap-x-8 gap-y-4 sm:grid-cols-2'

function CurrentSession({ values: { info, token, forced, at } }: { values: Snapshot }) {
  return (
    <Card title="Session en cours" description={`Lue le ${dateTime(at)}`}>
      <dl className={grid}>
        <Value label="Jeton de connexion">
          <Badge tone={token ? 'success' : 'neutral'}>{token ? 'Présent' : 'Absent'}</Badge>
        </Value>
        <Value label="Déconnexion forcée">
          <Badge tone={forced ? 'warning' : 'neutral'}>{forced ? 'Demandée' : 'Non'}</Badge>
        </Value>
        <Value label="Dernière activité">{info ? dateTime(info.lastActivity) : '—'}</Value>
        <Value label="Expire sans activité dans">{info ? duration(info.lastActivity + INACTIVITY_MS - at) : '—'}</Value>
        <Value label="Session">{short(info?.sessionId ?? '')}</Value>
        <Value label="Utilisateur">{short(info?.userId ?? '')}</Value>
      </dl>
    </Card>
  )
}

function StoredState({ values: { state } }: { values: Snapshot }) {
  return (
    <Card title="État enregistré" description="Ce que les autres onglets de ce navigateur en savent.">
      <dl className={grid}>
        <Value label="Déconnecté">
          <Badge tone={state?.isLoggedOut ? 'warning' : 'success'}>{state?.isLoggedOut ? 'Oui' : 'Non'}</Badge>
        </Value>
        <Value label="Motif">{state?.reason ? REASONS[state.reason] : '—'}</Value>
        <Value label="Heure de déconnexion">{state?.logoutTime ? dateTime(state.logoutTime) : '—'}</Value>
        <Value label="Activité enregistrée">{state ? dateTime(state.lastActivity) : '—'}</Value>
        <Value label="Session">{short(state?.sessionId ?? '')}</Value>
        <Value label="Utilisateur">{short(state?.userId ?? '')}</Value>
      </dl>
    </Card>
  )
}

export const SessionValues = ({ values }: { values: Snapshot }) => (
  <div className="grid items-start gap-5 lg:grid-cols-2">
    <CurrentSession values={values} />
    <StoredState values={values} />
  </div>
)
