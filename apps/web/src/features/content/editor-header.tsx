import { useWatch } from 'react-hook-form'
import { formatDateTime } from '../../lib/format.ts'
import { Button } from '../../ui/button.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { CONTENT_KINDS } from './labels.ts'
import { PublicLink } from './public-link.tsx'
import { PublishDialog } from './publish-dialog.tsx'
import { ContentStatusBadges } from './state.tsx'
import type { ContentEditorState } from './use-content.ts'
import { ContentVersions } from './versions.tsx'
import { UnpublishButton } from './withdraw.tsx'

function ContentStatusLine({ writing: { kind, record, dirty } }: { writing: ContentEditorState }) {
  return (
    <div className="-mt-3 mb-6 flex flex-wrap items-center gap-x-4 gap-y-2 text-[0.8125rem] text-ink-soft">
      <span>{CONTENT_KINDS[kind].label}</span>
      {record ? <ContentStatusBadges row={record} /> : <span>Pas encore enregistré</span>}
      {record?.status === 'scheduled' && record.publishAt && (
        <span>En ligne le {formatDateTime(record.publishAt)} (heure de Paris)</span>
      )}
      {record && (
        <span>
          Enregistré le {formatDateTime(record.updatedAt)} par {record.updatedBy}
        </span>
      )}
      {record?.status === 'published' && <PublicLink path={record.path} title={record.title} />}
      <span role="status" className="font-medium text-warning">
        {dirty && 'Modifications non enregistrées'}
      </span>
    </div>
  )
}

export function ContentEditorHeader({ writing, onSave }: { writing: ContentEditorState; onSave: () => void }) {
  const { form, kind, record } = writing
  const title = useWatch({ control: form.control, name: 'title' })
  return (
    <>
      <PageHeader
        title={<span className="break-words">{title?.trim() || `${CONTENT_KINDS[kind].label} sans titre`}</span>}
        actions={
          <>
            {record && <ContentVersions writing={writing} record={record} />}
            {record && <UnpublishButton writing={writing} record={record} />}
            <Button
              variant="secondary"
              aria-keyshortcuts="Control+S"
              loading={form.formState.isSubmitting}
              onClick={onSave}
            >
              Enregistrer le brouillon
            </Button>
            <PublishDialog writing={writing} />
          </>
        }
      />
      <ContentStatusLine writing={writing} />
    </>
  )
}
