import RefreshCw from 'lucide-react/icons/refresh-cw'
import Trash2 from 'lucide-react/icons/trash-2'
import { type ReactNode, useCallback, useEffect, useState } from 'react'
import { Badge } from '../../../components/badge.tsx'
import { Button } from '../../../components/button.tsx'
import { Card, cardClass } from '../../../components/card.tsx'
import { Confirm } from '../../../components/dialog.tsx'
import { EmptyState } from '../../../components/empty-state.tsx'
import { PageHeader } from '../../../components/page-header.tsx'
import { Table } from '../../../components/table.tsx'
import { checkSession, SESSION_CHECK_MS } from '../../../lib/activity.ts'
import { formatDateTime } from '../../../lib/format.ts'
import {
  clearLogoutHistory,
  INACTIVITY_MS,
  type LogoutReason,
  type LogoutState,
  readLogoutHistory,
  readLogoutState,
  readSession,
} from '../../../lib/session-records.ts'
import { FORCE_LOGOUT, readStorage, TOKEN } from '../../../lib/storage.ts'
import { toast } from '../../../lib/toast.ts'

/** What this browser holds, read again as often as the product itself checks it. */
function useSessionSnapshot() {
  const [values, setValues] = useState(() => readSessionSnapshot())
  const reread = useCallback(() => setValues(readSessionSnapshot()), [])
  useEffect(() => {
    const timer = setInterval(reread, SESSION_CHECK_MS)
    window.addEventListener('storage', reread)
    return () => {
      clearInterval(timer)
      window.removeEventListener('storage', reread)
    }
  }, [reread])
  return { values, reread }
}

export default function LogoutStateScreen() {
  const { values, reread } = useSessionSnapshot()
  const check = () => {
    if (!checkSession()) toast({ title: 'La session est active', variant: 'success', duration: 2000 })
    reread()
  }
  const clear = () => {
    clearLogoutHistory()
    reread()
  }
  return (
    <>
      <PageHeader
        title="État de déconnexion"
        description="La session de ce navigateur et ses dernières déconnexions. Rien de ceci ne quitte votre appareil."
        actions={
          <>
            <Confirm
              title="Effacer l’historique&nbsp;?"
              description="Les déconnexions enregistrées dans ce navigateur seront oubliées. Votre session reste ouverte."
              action="Effacer l’historique"
              onConfirm={clear}
              trigger={
                <Button variant="secondary" icon={<Trash2 aria-hidden="true" />} disabled={values.history.length === 0}>
                  Effacer l’historique
                </Button>
              }
            />
            <Button icon={<RefreshCw aria-hidden="true" />} onClick={check}>
              Vérifier maintenant
            </Button>
          </>
        }
      />
      <div className="grid gap-8">
        <SessionValues values={values} />
        <LogoutHistory history={values.history} />
      </div>
    </>
  )
}

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

const SessionValues = ({ values }: { values: SessionSnapshot }) => (
  <div className="grid items-start gap-5 lg:grid-cols-2">
    <CurrentSession values={values} />
    <StoredState values={values} />
  </div>
)

function LogoutHistory({ history }: { history: LogoutState[] }) {
  const rows = history.map((record) => ({ ...record, id: `${record.sessionId}-${record.logoutTime}` }))
  return (
    <section aria-labelledby="logout-history" className="grid gap-3">
      <h2 id="logout-history" className="text-base font-semibold">
        Dix dernières déconnexions
      </h2>
      {rows.length === 0 ? (
        <div className={cardClass}>
          <EmptyState
            title="Aucune déconnexion enregistrée"
            why="Les prochaines déconnexions de ce navigateur apparaîtront ici, avec leur motif."
            because="comes-by-itself"
          />
        </div>
      ) : (
        <Table
          label="Dix dernières déconnexions"
          rows={rows}
          columns={[
            { header: 'Déconnexion', cell: ({ logoutTime }) => (logoutTime ? formatDateTime(logoutTime) : '—') },
            { header: 'Motif', cell: ({ reason }) => (reason ? LOGOUT_REASON_LABELS[reason] : '—') },
            { header: 'Dernière activité', cell: ({ lastActivity }) => formatDateTime(lastActivity) },
            { header: 'Session', cell: ({ sessionId }) => <code title={sessionId}>{shortenId(sessionId)}</code> },
            { header: 'Utilisateur', cell: ({ userId }) => <code title={userId}>{shortenId(userId)}</code> },
          ]}
        />
      )}
    </section>
  )
}

const LOGOUT_REASON_LABELS: Record<LogoutReason, string> = {
  user: 'À la demande de la personne',
  inactivity: '24\u00a0heures sans activité',
  forced: 'Déconnexion forcée',
  'other-tab': 'Déconnexion dans un autre onglet',
  refused: 'Session fermée par le serveur',
}

const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000

/** « 23 h 59 min », rounded down: never promises more than is left. */
export function formatHoursAndMinutes(ms: number) {
  const left = Math.max(0, ms)
  return `${Math.floor(left / HOUR_MS)}\u00a0h ${String(Math.floor((left % HOUR_MS) / MINUTE_MS)).padStart(2, '0')}\u00a0min`
}

/** Enough of an identifier to tell two apart. */
export const shortenId = (id: string) => (id.length > 12 ? `${id.slice(0, 8)}…` : id || '—')

/** What this browser holds about the session, at one moment. */
const readSessionSnapshot = (at = Date.now()) => ({
  info: readSession(),
  state: readLogoutState(),
  history: readLogoutHistory(),
  token: readStorage(TOKEN) !== null,
  forced: readStorage(FORCE_LOGOUT) !== null,
  at,
})
type SessionSnapshot = ReturnType<typeof readSessionSnapshot>
