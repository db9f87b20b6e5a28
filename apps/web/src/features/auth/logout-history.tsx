import { formatDateTime } from '../../lib/format.ts'
import type { LogoutState } from '../../lib/session-records.ts'
import { cardClass } from '../../ui/card.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Table } from '../../ui/table.tsx'
import { LOGOUT_REASON_LABELS, shortenId } from './logout-words.ts'

export function LogoutHistory({ history }: { history: LogoutState[] }) {
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
