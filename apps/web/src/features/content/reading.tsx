import type { ContentRecord } from '@voisol/contract/content'
import { formatDateTime } from '../../lib/format.ts'
import { PageHeader } from '../../ui/page-header.tsx'
import { BackLink } from './back-link.tsx'
import { CONTENT_KINDS } from './labels.ts'
import { PublicLink } from './public-link.tsx'
import { ContentStatusBadges } from './state.tsx'
import { VersionView } from './version-view.tsx'

/** One content for those who may not write it: where it stands, and its text as readers will see it. */
export const ReadOnlyContent = ({ record }: { record: ContentRecord }) => (
  <>
    <BackLink />
    <PageHeader title={<span className="break-words">{record.title}</span>} />
    <div className="-mt-3 mb-6 flex flex-wrap items-center gap-x-4 gap-y-2 text-[0.8125rem] text-ink-soft">
      <span>{CONTENT_KINDS[record.kind].label}</span>
      <ContentStatusBadges row={record} />
      <span>
        Enregistré le {formatDateTime(record.updatedAt)} par {record.updatedBy}
      </span>
      {record.status === 'published' && <PublicLink path={record.path} title={record.title} />}
    </div>
    <VersionView id={record.id} number={record.version} />
  </>
)
