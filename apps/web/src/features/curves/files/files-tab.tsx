import { useQueryClient } from '@tanstack/react-query'
import { type DistributorFile, distributorFiles } from '@voisol/contract/distributor-files'
import { useCan, withAccess } from '../../../lib/can.tsx'
import { FILE_SOURCE_LABELS, FILE_STATUS_LABELS } from '../../../lib/distributor-labels.ts'
import { toChoices } from '../../../lib/energy-labels.ts'
import { formatDateTime } from '../../../lib/format.ts'
import { Badge } from '../../../ui/badge.tsx'
import { ButtonLink } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { FilterChips } from '../../../ui/filter-chips.tsx'
import { ListScreen } from '../../../ui/list-screen.tsx'
import type { Column } from '../../../ui/table.tsx'
import { UploadDrop } from '../upload-drop.tsx'
import { useFileUpload } from '../use-upload.ts'
import { FileActions } from './file-actions.tsx'
import { describeFileKind, formatFileCounts, formatFileSize } from './labels.ts'
import { useDistributorFileList } from './use-files.ts'

const columns: Column<DistributorFile>[] = [
  {
    header: 'Fichier',
    card: 'title',
    sort: 'name',
    cell: ({ name, size }) => (
      <span className="block max-w-80 min-w-40 py-1.5">
        <span className="block font-medium break-all">{name}</span>
        <span className="tabular block text-[0.8125rem] text-ink-soft">{formatFileSize(size)}</span>
      </span>
    ),
  },
  {
    header: 'État',
    card: 'primary',
    sort: 'status',
    cell: ({ status }) => <Badge tone={FILE_STATUS_LABELS[status].tone}>{FILE_STATUS_LABELS[status].label}</Badge>,
  },
  {
    header: 'Résultat',
    card: 'secondary',
    cell: ({ reason, counts }) => (
      <span className="block max-w-md min-w-52 py-1.5">{reason || formatFileCounts(counts) || '–'}</span>
    ),
  },
  {
    header: 'Nature',
    card: 'primary',
    sort: 'kind',
    cell: ({ kind }) => {
      const { code, meaning } = describeFileKind(kind)
      return (
        <span className="block whitespace-nowrap">
          {code}
          {meaning && <span className="block text-[0.8125rem] text-ink-soft">{meaning}</span>}
        </span>
      )
    },
  },
  {
    header: 'Reçu',
    card: 'primary',
    sort: 'receivedAt',
    cell: ({ receivedAt, source }) => (
      <span className="block whitespace-nowrap">
        <span className="tabular block">{formatDateTime(receivedAt)}</span>
        <span className="block text-[0.8125rem] text-ink-soft">{FILE_SOURCE_LABELS[source]}</span>
      </span>
    ),
  },
]

const FilesDrop = withAccess(distributorFiles.upload, () => {
  const client = useQueryClient()
  const { send, ...state } = useFileUpload(distributorFiles.upload, () =>
    client.invalidateQueries({ queryKey: [distributorFiles.list.path] }),
  )
  return (
    <Card
      title="Déposer des fichiers du distributeur"
      description="Courbes R63, index R64, relevés R15 et événements C15, tels quels ou en archive, chiffrée ou non. Chaque fichier est lu en entier ou mis à l’écart avec sa raison."
    >
      <UploadDrop
        {...state}
        several
        most={distributorFiles.upload.upload}
        kinds="CSV, JSON, XML, ZIP ou archive chiffrée"
        onFiles={(files) => send(files, ({ name }) => ({ query: { name, source: 'upload' } }))}
      />
    </Card>
  )
})

const NoFiles = () => (
  <EmptyState
    title="Aucun fichier reçu"
    why={
      useCan()(distributorFiles.upload)
        ? 'Déposez un fichier d’Enedis ci-dessus, ou indiquez un dossier à surveiller dans les réglages de l’API Enedis.'
        : 'Les fichiers déposés par l’organisation ou lus dans le dossier surveillé apparaîtront ici.'
    }
    action={
      <ButtonLink variant="secondary" to="/enedis-api">
        Réglages de l’API Enedis
      </ButtonLink>
    }
  />
)

/** What the distributor sends as files, and what became of each. */
export default function FilesTab() {
  const list = useDistributorFileList()
  return (
    <div className="grid gap-6 [&>*]:min-w-0">
      <FilesDrop />
      <ListScreen
        list={list}
        label="Fichiers du distributeur"
        search="Rechercher un fichier"
        columns={columns}
        filters={
          <FilterChips
            label="État"
            options={toChoices(FILE_STATUS_LABELS)}
            value={list.filters.status}
            onChange={(status) => list.setFilters({ status })}
          />
        }
        rowActions={(file) => <FileActions file={file} />}
        empty={<NoFiles />}
      />
    </div>
  )
}
