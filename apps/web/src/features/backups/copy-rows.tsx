import { backups, type InstallationCopy } from '@voisol/contract/backups'
import { download } from '../../lib/call.ts'
import { withAccess } from '../../lib/can.tsx'
import { formatCount, formatDate, formatDateTime, formatNumber } from '../../lib/format.ts'
import { useAction } from '../../lib/queries.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import type { Column } from '../../ui/table.tsx'
import { notifyStarted, showFailure } from './act.ts'
import { formatFileSize, formatKeptFor } from './words.ts'

const smallClass = 'block text-[0.8125rem] text-ink-soft'

function CopyProof({ proved }: Pick<InstallationCopy, 'proved'>) {
  if (!proved) return <Badge tone="neutral">Pas encore essayée</Badge>
  const what = proved.kind === 'drill' ? 'Restauration' : 'Relecture'
  return (
    <span className="block">
      <Badge tone={proved.ok ? 'success' : 'danger'}>{`${what} ${proved.ok ? 'réussie' : 'échouée'}`}</Badge>
      <span className={`mt-1 ${smallClass}`}>{`le ${formatDate(proved.at)}`}</span>
    </span>
  )
}

export const copyColumns: Column<InstallationCopy & { id: string }>[] = [
  {
    header: 'Copie',
    card: 'title',
    cell: ({ name, madeAt, version }) => (
      <span className="block min-w-48">
        <span className="block font-medium">{formatDateTime(madeAt)}</span>
        <span className={smallClass}>{`${name}, Voisol ${version}`}</span>
      </span>
    ),
  },
  {
    header: 'Contenu',
    card: 'primary',
    cell: ({ rows, files, bytes, missing }) => (
      <span className="block">
        <span className="tabular block">{formatFileSize(bytes)}</span>
        <span className={smallClass}>{`${formatNumber(rows)} lignes, ${formatCount(files, 'fichier')}`}</span>
        {missing > 0 && (
          <span className="block text-[0.8125rem] text-warning">{`incomplète\u00a0: ${formatCount(missing, 'fichier manquant', 'fichiers manquants')}`}</span>
        )}
      </span>
    ),
  },
  { header: 'Preuve', card: 'primary', cell: ({ proved }) => <CopyProof proved={proved} /> },
  {
    header: 'Gardée comme',
    card: 'secondary',
    cell: ({ keptFor }) => (
      <span className="block min-w-28 text-[0.8125rem] text-ink-soft">{formatKeptFor(keptFor)}</span>
    ),
  },
]

const RestoreTestButtons = withAccess(backups.drill, ({ name }: { name: string }) => {
  const drill = useAction(backups.drill, [backups.installation])
  const verify = useAction(backups.verify, [backups.installation])
  const params = { name }
  return (
    <>
      <Button
        variant="secondary"
        size="small"
        loading={drill.isPending}
        aria-label={`Essayer de restaurer ${name}`}
        onClick={() => void drill.run({ params }).then(notifyStarted('L’essai de restauration commence'), showFailure)}
      >
        Essayer
      </Button>
      <Button
        variant="quiet"
        size="small"
        loading={verify.isPending}
        aria-label={`Relire ${name}`}
        onClick={() => void verify.run({ params }).then(notifyStarted('La relecture commence'), showFailure)}
      >
        Relire
      </Button>
      <Button
        variant="quiet"
        size="small"
        aria-label={`Télécharger ${name}`}
        onClick={() => void download(backups.content, { params }).catch(showFailure)}
      >
        Télécharger
      </Button>
    </>
  )
})

export const CopyActions = ({ copy }: { copy: InstallationCopy }) => <RestoreTestButtons name={copy.name} />
