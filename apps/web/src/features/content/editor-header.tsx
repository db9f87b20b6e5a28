import { useWatch } from 'react-hook-form'
import { dateTime } from '../../lib/format.ts'
import { Button } from '../../ui/button.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { KINDS } from './labels.ts'
import { PublicLink } from './public-link.tsx'
import { PublishDialog } from './publish-dialog.tsx'
import { State } from './state.tsx'
import type { Writing } from './use-content.ts'
import { Versions } from './versions.tsx'
import { Withdraw } from './withdraw.tsx'

function Facts({ writing: { kind, record, dirty } }: { writing: Writing }) {
  return (
    <div className="-mt-3 mb-6 flex flex-wrap items-center gap-x-4 gap-y-2 text-[0.8125rem] text-ink-soft">
      <span>{KINDS[kind].label}</span>
      {record ? <State row={record} /> : <span>Pas encore enregistré</span>}
      {record?.status === 'scheduled' && record.publishAt && (
        <span>En ligne le {dateTime(record.publishAt)} (heure de Paris)</span>
      )}
      {record && (
        <span>
          Enregistré le {dateTime(record.updatedAt)} par {record.updatedBy}
        </span>
      )}
      {record?.status === 'published' && <PublicLink path={record.path} title={record.title} />}
      <span role="status" className="font-medium text-warning">
        {dirty && 'Modifications non enregistrées'}
      </span>
    </div>
  )
}

export function EditorHeader({ writing, onSave }: { writing: Writing; onSave: () => void }) {
  const { form, kind, record } = writing
  const title = useWatch({ control: form.control, name: 'title' })
  return (
    <>
      <PageHeader
        title={<span className="break-words">{title?.trim() || `${KINDS[kind].label} sans titre`}</span>}
        actions={
          <>
            {record && <Versions writing={writing} record={record} />}
            {record && <Withdraw writing={writing} record={record} />}
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
      <Facts writing={writing} />
    </>
  )
}
