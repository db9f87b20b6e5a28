import { backups, type InstallationCopy } from '@voisol/contract/backups'
import { download } from '../../lib/call.ts'
import { only } from '../../lib/can.tsx'
import { date, dateTime, number, plural } from '../../lib/format.ts'
import { useAction } from '../../lib/queries.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import type { Column } from '../../ui/table.tsx'
import { begun, failed } from './act.ts'
import { fileSize, keptWords } from './words.ts'

const small = 'block text-[0.8125rem] text-ink-soft'

function Proof({ proved }: Pick<InstallationCopy, 'proved'>) {
  if (!proved) return <Badge tone="neutral">Pas encore essayée</Badge>
  const what = proved.kind === 'drill' ? 'Restauration' : 'Relecture'
  return (
    <span className="block">
      <Badge tone={proved.ok ? 'success' : 'danger'}>{`${what} ${proved.ok ? 'réussie' : 'échouée'}`}</Badge>
      <span className={`mt-1 ${small}`}>{`le ${date(proved.at)}`}</span>
    </span>
  )
}

export const copyColumns: Column<InstallationCopy & { id: string }>[] = [
  {
    header: 'Copie',
    card: 'title',
    cell: ({ name, madeAt, version }) => (
      <span className="block min-w-48">
        <span className="block font-medium">{dateTime(madeAt)}</span>
        <span className={small}>{`${name}, Voisol ${version}`}</span>
      </span>
    ),
  },
  {
    header: 'Contenu',
    card: 'primary',
    cell: ({ rows, files, bytes, missing }) => (
      <span className="block">
        <span className="tabular block">{fileSize(bytes)}</span>
        <span className={small}>{`${number(rows)} lignes, ${plural(files, 'fichier')}`}</span>
        {missing > 0 && (
          <span className="block text-[0.8125rem] text-warning">{`incomplète\u00a0: ${plural(missing, 'fichier manquant', 'fichiers manquants')}`}</span>
        )}
      </span>
    ),
  },
  { header: 'Preuve', card: 'primary', cell: ({ proved }) => <Proof proved={proved} /> },
  {
    header: 'Gardée comme',
    card: 'secondary',
    cell: ({ keptFor }) => <span className="block min-w-28 text-[0.8125rem] text-ink-soft">{keptWords(keptFor)}</span>,
  },
]

const Drill = only(backups.drill, ({ name }: { name: string }) => {
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
        onClick={() => void drill.run({ params }).then(begun('L’essai de restauration commence'), failed)}
      >
        Essayer
      </Button>
      <Button
        variant="quiet"
        size="small"
        loading={verify.isPending}
        aria-label={`Relire ${name}`}
        onClick={() => void verify.run({ params }).then(begun('La relecture commence'), failed)}
      >
        Relire
      </Button>
      <Button
        variant="quiet"
        size="small"
        aria-label={`Télécharger ${name}`}
        onClick={() => void download(backups.content, { params }).catch(failed)}
      >
        Télécharger
      </Button>
    </>
  )
})

export const CopyActions = ({ copy }: { copy: InstallationCopy }) => <Drill name={copy.name} />
