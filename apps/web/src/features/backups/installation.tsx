import { useQuery } from '@tanstack/react-query'
import { backups } from '@voisol/contract/backups'
import type { EndpointReply } from '@voisol/contract/endpoint'
import DatabaseBackup from 'lucide-react/icons/database-backup'
import { withAccess } from '../../lib/can.tsx'
import { query, useAction } from '../../lib/queries.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Table } from '../../ui/table.tsx'
import { TableSkeleton } from '../../ui/table-skeleton.tsx'
import { notifyStarted, showFailure } from './act.ts'
import { CopyActions, copyColumns } from './copy-rows.tsx'
import { CopyFacts } from './facts.tsx'
import { runColumns, runDetail } from './run-rows.tsx'

const POLL_MS = 2000
const VISIBLE_RUNS = 12
type Installation = EndpointReply<typeof backups.installation>

const useInstallation = () =>
  useQuery({
    ...query(backups.installation, {}),
    refetchInterval: ({ state }) => (state.data?.runs.some((run) => run.state === 'running') ? POLL_MS : false),
  })

const StartButton = withAccess(backups.start, () => {
  const start = useAction(backups.start, [backups.installation])
  return (
    <Button
      icon={<DatabaseBackup aria-hidden="true" />}
      loading={start.isPending}
      onClick={() => void start.run({}).then(notifyStarted('La copie commence'), showFailure)}
    >
      Copier maintenant
    </Button>
  )
})

function InstallationDetails({ data }: { data: Installation }) {
  return (
    <div className="grid gap-6 [&>*]:min-w-0">
      {data.trouble && (
        <p role="alert" className="rounded-card border border-danger bg-danger-soft p-4 text-body text-danger">
          {data.trouble}
        </p>
      )}
      <CopyFacts data={data} />
      {data.copies.length === 0 ? (
        <EmptyState
          title="Aucune copie"
          why="La première se fait cette nuit, ou maintenant si vous le demandez."
          because="comes-by-itself"
        />
      ) : (
        <Table
          label="Copies de l’installation"
          rows={data.copies.map((copy) => ({ ...copy, id: copy.name }))}
          columns={copyColumns}
          rowActions={(copy) => <CopyActions copy={copy} />}
        />
      )}
      {data.runs.length > 0 && (
        <section className="grid gap-2">
          <h3 className="font-semibold">Ce qui a été fait</h3>
          <Table
            label="Travaux sur les copies"
            rows={data.runs.slice(0, VISIBLE_RUNS)}
            columns={runColumns}
            detail={runDetail}
          />
        </section>
      )}
    </div>
  )
}

/** Of the whole installation, for whoever keeps it: each copy with what proves it. */
export function InstallationCopies() {
  const { data, error, refetch } = useInstallation()
  return (
    <Card
      title="Copies de l’installation"
      description="La base et les fichiers de toutes les organisations, d’un seul instant, chiffrés avec une clé qui n’est pas dedans. Une restauration d’essai les prouve chaque semaine."
      actions={
        <>
          <ButtonLink variant="secondary" to="/admin/backup-scheduler">
            Horaire et durée de garde
          </ButtonLink>
          <StartButton />
        </>
      }
    >
      {error ? (
        <ErrorState error={error} onRetry={refetch} />
      ) : data ? (
        <InstallationDetails data={data} />
      ) : (
        <TableSkeleton label="Copies de l’installation" />
      )}
    </Card>
  )
}
