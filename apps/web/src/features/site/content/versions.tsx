import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type ContentRecord, content } from '@voisol/contract/content'
import History from 'lucide-react/icons/history'
import { useState } from 'react'
import { Button } from '../../../components/button.tsx'
import { cx } from '../../../components/cx.ts'
import { Confirm, Dialog } from '../../../components/dialog.tsx'
import { ErrorState } from '../../../components/error-state.tsx'
import { Skeleton } from '../../../components/loading.tsx'
import { Prose } from '../../../components/prose/prose.tsx'
import { formatCount, formatDateTime } from '../../../lib/format.ts'
import { query, useAction } from '../../../lib/queries.ts'
import { toast } from '../../../lib/toast.ts'
import { PreviewPane } from './body-field.tsx'
import { VERSION_EVENT_LABELS } from './labels.tsx'
import type { ContentEditorState } from './use-content.ts'

type VersionSummary = {
  number: number
  event: keyof typeof VERSION_EVENT_LABELS
  savedAt: string
  savedBy: string
  words: number
}

const VersionItem = ({ line, open, onOpen }: { line: VersionSummary; open: boolean; onOpen: () => void }) => (
  <button
    type="button"
    aria-pressed={open}
    onClick={onOpen}
    className={cx(
      'w-full rounded-control border px-3 py-2 text-left text-body transition-colors duration-150',
      open ? 'border-primary-ink bg-primary-soft' : 'border-line hover:border-control',
    )}
  >
    <span className="flex justify-between gap-3 font-medium">
      {VERSION_EVENT_LABELS[line.event]}
      <span className="tabular font-normal text-ink-soft">n°&nbsp;{line.number}</span>
    </span>
    <span className="block text-[0.8125rem] text-ink-soft">
      {formatDateTime(line.savedAt)}, {line.savedBy}
    </span>
    <span className="block text-[0.8125rem] text-ink-soft">{formatCount(line.words, 'mot')}</span>
  </button>
)

function VersionBrowser({
  writing,
  record,
  onDone,
}: {
  writing: ContentEditorState
  record: ContentRecord
  onDone: () => void
}) {
  const params = { id: record.id }
  const { data, error, refetch } = useQuery({ ...query(content.versions, { params }), staleTime: 0 })
  const [chosen, setChosen] = useState<number>()
  const restore = useAction(content.restore, [content.list, content.versions])
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Skeleton className="h-96 w-full" />
  const number = chosen ?? data.items[0]?.number ?? record.version
  const run = async () => {
    writing.adopt(await restore.run({ params, body: { version: record.version, number } }).catch(writing.notice))
    toast({
      title: `Version n°\u00a0${number} reprise`,
      description: 'Elle est votre nouveau brouillon.',
      variant: 'success',
    })
    onDone()
  }
  return (
    <div className="grid gap-6 md:grid-cols-[18rem_minmax(0,1fr)]">
      <ol aria-label="Versions" className="grid max-h-60 content-start gap-2 overflow-y-auto md:max-h-[60dvh]">
        {data.items.map((line) => (
          <li key={line.number}>
            <VersionItem line={line} open={line.number === number} onOpen={() => setChosen(line.number)} />
          </li>
        ))}
      </ol>
      <div className="grid content-start gap-4 [&>*]:min-w-0">
        <VersionView id={record.id} number={number} />
        {number !== record.version && (
          <Confirm
            trigger={<Button className="justify-self-end">Reprendre cette version</Button>}
            title={`Reprendre la version n°\u00a0${number}\u00a0?`}
            description={
              writing.dirty
                ? 'Elle devient votre brouillon. Ce que vous avez écrit sans l’enregistrer sera perdu.'
                : 'Elle devient votre brouillon. Le site ne change pas avant la prochaine publication.'
            }
            action="Reprendre cette version"
            tone="primary"
            onConfirm={run}
          />
        )}
      </div>
    </div>
  )
}

/** Everything this content has been; an old state can be looked at and taken up again. */
export function ContentVersions({ writing, record }: { writing: ContentEditorState; record: ContentRecord }) {
  const [open, setOpen] = useState(false)
  return (
    <Dialog
      title="Versions"
      description="Chaque enregistrement et chaque publication est gardé."
      width="full"
      open={open}
      onOpenChange={setOpen}
      trigger={
        <Button variant="secondary" icon={<History aria-hidden="true" />}>
          Versions
        </Button>
      }
    >
      <VersionBrowser writing={writing} record={record} onDone={() => setOpen(false)} />
    </Dialog>
  )
}

/** A version as it was, read and not edited. */
export function VersionView({ id, number }: { id: string; number: number }) {
  const { data, error, refetch } = useQuery({
    ...query(content.version, { params: { id, number } }),
    placeholderData: keepPreviousData,
  })
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Skeleton className="h-80 w-full" />
  return (
    <PreviewPane label={`Version n°\u00a0${number}`} className="max-h-[55dvh] rounded-card border border-line p-5">
      <p className="text-2xl font-semibold leading-snug">{data.draft.title}</p>
      <p className="mt-2 mb-6 text-body text-ink-soft">{data.draft.summary}</p>
      <Prose blocks={data.body} />
    </PreviewPane>
  )
}
