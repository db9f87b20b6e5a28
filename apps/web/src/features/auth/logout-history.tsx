import { dateTime } from '../../lib/format.ts'
import type { LogoutState } from '../../lib/session-records.ts'
import { cardClass } from '../../ui/card.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Table } from '../../ui/table.tsx'
import { REASONS, short } from './logout-words.ts'

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
            { header: 'Déconnexion', cell: ({ logoutTime }) => (logoutTime ? dateTime(logoutTime) : '—') },
            { header: 'Motif', cell: ({ reason }) => (reason ? REASONS[reason] : '—') },
            { header: 'Dernière activité', cell: ({ lastActivity }) => dateTime(lastActivity) },
            { header: 'Session', cell: ({ sessionId }) => <code title={sessionId}>{short(sessionId)}</code> },
            { header: 'Utilisateur', cell: ({ userId }) => <code title={userId}>{short(userId)}</code> },
          ]}
        />
      )}
    </section>
  )
}
