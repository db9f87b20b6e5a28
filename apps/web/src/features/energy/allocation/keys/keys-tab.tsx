import { useQuery } from '@tanstack/react-query'
import { type Key, keys } from '@voisol/contract/keys'
import type { Operation } from '@voisol/contract/operations'
import Plus from 'lucide-react/icons/plus'
import { useNavigate, useSearchParams } from 'react-router'
import { ButtonLink } from '../../../../components/button.tsx'
import { Card } from '../../../../components/card.tsx'
import { cx } from '../../../../components/cx.ts'
import { EmptyState } from '../../../../components/empty-state.tsx'
import { ErrorState } from '../../../../components/error-state.tsx'
import { Link } from '../../../../components/link.tsx'
import { Skeleton } from '../../../../components/loading.tsx'
import { useCan } from '../../../../lib/can.tsx'
import { ALLOCATION_METHOD_LABELS } from '../../../../lib/energy-labels.ts'
import { query, useAction } from '../../../../lib/queries.ts'
import { useTabLink } from '../tab-and-period.ts'
import { type MembersByDirection, useKeyMembers } from '../use-members.ts'
import { KeyEditor, type KeyVersionDraft, SAVE_DRAFT_LABEL } from './key-editor.tsx'
import { type KeyForm, takesFiles, toKeyForm } from './key-form.ts'
import { KeyVersionDetail } from './key-version.tsx'
import {
  formatKeyPeriod,
  getKeyState,
  getStartOfNextMonth,
  KEY_DEPENDENT_QUERIES,
  KeyBadges,
  type KeyState,
  NEW_VERSION,
} from './key-version-state.tsx'

const loadingSkeleton = <Skeleton className="h-96 w-full" />

/** The rule by which energy is shared, version after version. */
export default function KeysTab({ operation }: { operation: Operation }) {
  const [search] = useSearchParams()
  const link = useTabLink()
  const canWrite = useCan()(keys.create)
  const { data, error, refetch } = useQuery(query(keys.list, { params: { id: operation.id } }))
  const points = useKeyMembers(operation.id)
  const failed = error ?? points.error
  if (failed) return <ErrorState error={failed} onRetry={error ? refetch : points.refetch} />
  if (!data || !points.members) return loadingSkeleton
  const { items } = data
  const requestedVersion = search.get('cle')
  const isNew = canWrite && requestedVersion === NEW_VERSION
  const chosen = items.find(({ id }) => id === requestedVersion) ?? items.find(({ inForce }) => inForce) ?? items[0]
  const add = canWrite && (
    <ButtonLink
      className="justify-self-start xl:justify-self-stretch"
      to={link('cles', { cle: NEW_VERSION })}
      icon={<Plus aria-hidden="true" />}
    >
      Préparer une version
    </ButtonLink>
  )
  if (!chosen && !isNew)
    return (
      <EmptyState
        title="Aucune clé de répartition"
        why={`La clé dit comment l’énergie produite se partage.${canWrite ? ' Préparez une première version, puis adoptez-la.' : ''}`}
        action={add}
      />
    )
  return (
    <div className="grid items-start gap-6 xl:grid-cols-[20rem_minmax(0,1fr)] [&>*]:min-w-0">
      <div className="grid gap-4">
        <p className="text-body text-ink-soft">
          La clé dit comment l’énergie produite se partage. Chaque version vaut à partir d’un jour&nbsp;; les jours
          passés gardent la leur.
        </p>
        {add}
        <KeyTimeline versions={items} chosen={isNew ? undefined : chosen?.id} />
      </div>
      {isNew ? (
        <NewKeyVersion operationId={operation.id} members={points.members} model={search.get('modele')} />
      ) : (
        chosen && <KeyVersionDetail id={chosen.id} members={points.members} />
      )}
    </div>
  )
}

const DOT_CLASSES: Record<KeyState, string> = {
  draft: 'border-control bg-card',
  current: 'border-success bg-success',
  upcoming: 'border-primary-ink bg-primary-soft',
  replaced: 'border-line-strong bg-slate-200',
}

type KeyTimelineProps = { versions: Key[]; chosen: string | undefined }

/** The versions, the latest first; the filled dot is the one that holds today. */
function KeyTimeline({ versions, chosen }: KeyTimelineProps) {
  const link = useTabLink()
  return (
    <nav aria-label="Versions de la clé">
      <ol className="relative grid gap-2 before:absolute before:top-4 before:bottom-4 before:left-[0.4375rem] before:w-px before:bg-line-strong">
        {versions.map((version) => (
          <li key={version.id} className="relative pl-7">
            <span
              aria-hidden="true"
              className={cx(
                'absolute top-4 left-0 size-[0.9375rem] rounded-full border-2',
                DOT_CLASSES[getKeyState(version)],
              )}
            />
            <Link
              to={link('cles', { cle: version.id })}
              aria-current={version.id === chosen ? 'true' : undefined}
              preventScrollReset
              className={cx(
                'grid gap-1 rounded-card border px-4 py-3 text-body transition-colors duration-150',
                version.id === chosen
                  ? 'border-primary-ink bg-primary-soft'
                  : 'border-line bg-card hover:border-control',
              )}
            >
              <span className="flex flex-wrap items-center justify-between gap-2">
                <span className="font-medium">Version {version.number}</span>
                <KeyBadges version={version} />
              </span>
              <span>{ALLOCATION_METHOD_LABELS[version.method].label}</span>
              <span className="tabular text-[0.8125rem] text-ink-soft">{formatKeyPeriod(version)}</span>
              {version.label && <span className="text-[0.8125rem] text-ink-soft">{version.label}</span>}
            </Link>
          </li>
        ))}
      </ol>
    </nav>
  )
}

const buildEmptyForm = (): KeyForm => ({
  method: 'default',
  label: '',
  startsOn: getStartOfNextMonth(),
  decimals: 1,
  cells: {},
})

type NewKeyVersionProps = { operationId: string; members: MembersByDirection; model: string | null }

/** A version that does not exist yet, from nothing or from another one. */
function NewKeyVersion({ operationId, members, model }: NewKeyVersionProps) {
  const navigate = useNavigate()
  const link = useTabLink()
  const { run } = useAction(keys.create, KEY_DEPENDENT_QUERIES)
  const source = useQuery({ ...query(keys.get, { params: { id: model ?? '' } }), enabled: model !== null })
  const create = async (draft: KeyVersionDraft) => {
    const made: Key = await run({ params: { id: operationId }, body: draft })
    void navigate(link('cles', { cle: made.id }))
  }
  if (source.error) return <ErrorState error={source.error} onRetry={source.refetch} />
  if (model !== null && !source.data) return <Skeleton className="h-96 w-full" />
  const start = source.data
    ? { ...toKeyForm(source.data), label: '', startsOn: getStartOfNextMonth() }
    : buildEmptyForm()
  return (
    <Card
      title="Nouvelle version"
      description={
        source.data
          ? `Copie de la version ${source.data.number}. Rien ne change tant qu’elle n’est pas adoptée.`
          : 'Un brouillon\u00a0: rien ne change tant qu’il n’est pas adopté.'
      }
    >
      <KeyEditor
        key={model ?? 'blank'}
        operationId={operationId}
        members={members}
        start={start}
        action={SAVE_DRAFT_LABEL}
        onSave={create}
        more={() => (
          <span className="text-[0.8125rem] text-ink-soft">
            {takesFiles(start.method)
              ? 'Les fichiers de coefficients s’importent une fois le brouillon enregistré.'
              : 'Vous pourrez encore le modifier avant de l’adopter.'}
          </span>
        )}
      />
    </Card>
  )
}
