import { useQueryClient } from '@tanstack/react-query'
import { type DistributorFile, distributorFiles } from '@voisol/contract/distributor-files'
import { useEffect } from 'react'
import { Badge } from '../../../../components/badge.tsx'
import { Button, ButtonLink } from '../../../../components/button.tsx'
import { Card } from '../../../../components/card.tsx'
import { Confirm } from '../../../../components/dialog.tsx'
import { EmptyState } from '../../../../components/empty-state.tsx'
import { FilterChips } from '../../../../components/filter-bar.tsx'
import { ListScreen } from '../../../../components/list-screen.tsx'
import type { Column } from '../../../../components/table.tsx'
import { download } from '../../../../lib/call.ts'
import { useCan, withAccess } from '../../../../lib/can.tsx'
import { FILE_SOURCE_LABELS, FILE_STATUS_LABELS } from '../../../../lib/distributor-labels.ts'
import { toChoices } from '../../../../lib/energy-labels.ts'
import { explainError } from '../../../../lib/error-text.ts'
import { formatCount, formatDateTime, formatNumber } from '../../../../lib/format.ts'
import { useAction, useList } from '../../../../lib/queries.ts'
import { toast } from '../../../../lib/toast.ts'
import { UploadDrop, useFileUpload } from '../file-upload.tsx'
import { refreshReadings } from '../queries.ts'

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

const POLL_MS = 2000

/** The files, followed while one of them waits to be read; then what it brought is shown. */
function useDistributorFileList() {
  const list = useList(distributorFiles.list)
  const client = useQueryClient()
  const { refetch } = list
  const waiting = list.items.some(({ status }) => status === 'waiting')
  useEffect(() => {
    if (!waiting) return
    const timer = setInterval(refetch, POLL_MS)
    return () => {
      clearInterval(timer)
      refreshReadings(client)
      void client.invalidateQueries({ queryKey: [distributorFiles.events.path] })
    }
  }, [waiting, refetch, client])
  return list
}

const FILE_KIND_LABELS: Record<string, string> = {
  R63: 'Courbes de charge',
  R64: 'Index quotidiens',
  R15: 'Quantités et index',
  C15: 'Événements contractuels',
  R50: 'Courbes de charge',
  R4x: 'Courbes de charge',
  HDM: 'Historique de mesures',
  R151: 'Index quotidiens',
  R171: 'Index quotidiens',
}

/** « R63 » and what it holds; several kinds of one archive are told apart. */
const describeFileKind = (kind: string) => ({
  code: kind || '–',
  meaning: FILE_KIND_LABELS[kind] ?? FILE_KIND_LABELS[kind.toUpperCase()] ?? '',
})

const COUNT_LABELS: [key: string, singular: string, several?: string][] = [
  ['readings', 'relevé'],
  ['newDays', 'journée nouvelle', 'journées nouvelles'],
  ['changedDays', 'journée modifiée', 'journées modifiées'],
  ['sameDays', 'journée identique', 'journées identiques'],
  ['quantities', 'quantité'],
  ['events', 'événement'],
  ['indexes', 'index', 'index'],
  ['unknownPoints', 'point inconnu', 'points inconnus'],
]

/** What was drawn from the file, in one line. */
const formatFileCounts = (counts: DistributorFile['counts']) =>
  COUNT_LABELS.flatMap(([key, singular, several]) => {
    const count = counts[key] ?? 0
    return count > 0 ? [formatCount(count, singular, several)] : []
  }).join(', ')

const formatFileSize = (bytes: number) =>
  bytes < 1024
    ? formatCount(bytes, 'octet')
    : bytes < 2 ** 20
      ? `${formatNumber(Math.round(bytes / 1024))}\u00a0ko`
      : `${formatNumber(bytes / 2 ** 20, 1)}\u00a0Mo`

const showFailure = (title: string) => (error: unknown) =>
  toast({ title, description: explainError(error), variant: 'destructive' })

const ForgetButton = withAccess(distributorFiles.forget, ({ id, name }: Pick<DistributorFile, 'id' | 'name'>) => {
  const forget = useAction(distributorFiles.forget, [distributorFiles.list])
  return (
    <Confirm
      title="Retirer ce fichier&nbsp;?"
      description={`«\u00a0${name}\u00a0» sera effacé. Rien n’en avait été enregistré\u00a0; vous pourrez le déposer à nouveau.`}
      action="Retirer le fichier"
      onConfirm={() => forget.run({ params: { id } })}
      trigger={
        <Button variant="quiet" size="small">
          Retirer
        </Button>
      }
    />
  )
})

const RetryButton = withAccess(distributorFiles.retry, ({ id }: Pick<DistributorFile, 'id'>) => {
  const retry = useAction(distributorFiles.retry, [distributorFiles.list])
  return (
    <Button
      variant="secondary"
      size="small"
      loading={retry.isPending}
      onClick={() => retry.run({ params: { id } }).catch(showFailure('Lecture impossible'))}
    >
      Relire
    </Button>
  )
})

/** A file can always be taken back; one that was set aside can be read again, or removed. */
function FileActions({ file: { id, name, status } }: { file: DistributorFile }) {
  return (
    <>
      <Button
        variant="quiet"
        size="small"
        onClick={() =>
          download(distributorFiles.download, { params: { id } }).catch(showFailure('Téléchargement impossible'))
        }
      >
        Télécharger
      </Button>
      {status === 'quarantined' && (
        <>
          <RetryButton id={id} />
          <ForgetButton id={id} name={name} />
        </>
      )}
    </>
  )
}
