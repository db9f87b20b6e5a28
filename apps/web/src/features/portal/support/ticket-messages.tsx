import {
  type Attachment,
  MAX_ATTACHMENT_BYTES,
  MAX_ATTACHMENTS,
  type support,
  type TicketMessage,
} from '@voisol/contract/support'
import type { supportDesk } from '@voisol/contract/support-agents'
import Mail from 'lucide-react/icons/mail'
import Paperclip from 'lucide-react/icons/paperclip'
import X from 'lucide-react/icons/x'
import { type ReactNode, useState } from 'react'
import { getButtonClass } from '../../../components/button.tsx'
import { cx } from '../../../components/cx.ts'
import { formatFileSize } from '../../../components/document-list.tsx'
import { IconButton } from '../../../components/icon-button.tsx'
import { download } from '../../../lib/call.ts'
import { explainError } from '../../../lib/error-text.ts'
import { formatDateTime } from '../../../lib/format.ts'
import { toast } from '../../../lib/toast.ts'

type FileEndpoint = typeof support.file | typeof supportDesk.file

function FileLink({ file, from }: { file: Attachment; from: FileEndpoint }) {
  const downloadFile = () =>
    download(from, { params: { id: file.id } }).catch((error: unknown) =>
      toast({ title: 'Téléchargement impossible', description: explainError(error), variant: 'destructive' }),
    )
  return (
    <button
      type="button"
      onClick={() => void downloadFile()}
      className="inline-flex min-h-8 max-w-full items-center gap-2 rounded-button border border-line bg-card px-3 text-[0.8125rem] hover:border-control"
    >
      <Paperclip aria-hidden="true" className="size-4 shrink-0 text-ink-soft" />
      <span className="truncate">{file.name}</span>
      <span className="shrink-0 text-ink-soft">{formatFileSize(file.size)}</span>
    </button>
  )
}

type Props<M> = {
  messages: M[]
  /** Whose words stand on the right. */
  own: 'asker' | 'desk'
  from: FileEndpoint
  more?: (message: M) => ReactNode
}

/** What was written, by both sides and in its order. */
export const MessageThread = <M extends TicketMessage>({ messages, own, from, more }: Props<M>) => (
  <ol aria-label="Messages" className="grid gap-4">
    {messages.map((message) => (
      <li key={message.id} className={cx('grid max-w-[44rem] gap-1', message.side === own && 'justify-self-end')}>
        <p className="flex flex-wrap items-center gap-x-2 text-[0.8125rem] text-ink-soft">
          <span className="font-medium text-ink">{message.author}</span>
          <time dateTime={message.createdAt}>{formatDateTime(message.createdAt)}</time>
          {message.source === 'mail' && (
            <span className="inline-flex items-center gap-1">
              <Mail aria-hidden="true" className="size-3.5" />
              par e-mail
            </span>
          )}
        </p>
        <div
          className={cx(
            'rounded-card border p-4 text-body break-words whitespace-pre-line',
            message.side === own ? 'border-primary-ink/20 bg-primary-soft' : 'border-line bg-card',
          )}
        >
          {message.body}
        </div>
        {message.files.length > 0 && (
          <div className="flex flex-wrap gap-2 pt-1">
            {message.files.map((file) => (
              <FileLink key={file.id} file={file} from={from} />
            ))}
          </div>
        )}
        {more?.(message)}
      </li>
    ))}
  </ol>
)

type AttachedFiles = ReturnType<typeof useAttachedFiles>

const showRefusal = (description: string) => toast({ title: 'Fichier refusé', description, variant: 'destructive' })

/** The files of a message that is being written: each is kept as soon as it is chosen. */
export function useAttachedFiles(store: (file: File) => Promise<Attachment>) {
  const [files, setFiles] = useState<Attachment[]>([])
  const [busy, setBusy] = useState(false)
  const add = async (file: File) => {
    if (files.length >= MAX_ATTACHMENTS) return showRefusal('Cinq fichiers au plus par message.')
    if (file.size > MAX_ATTACHMENT_BYTES) return showRefusal('Dix mégaoctets au plus par fichier.')
    setBusy(true)
    await store(file).then(
      (storedFile) => setFiles((old) => [...old, storedFile]),
      (error: unknown) => showRefusal(explainError(error)),
    )
    setBusy(false)
  }
  const remove = (id: string) => setFiles((old) => old.filter((file) => file.id !== id))
  return { files, busy, add, remove, clear: () => setFiles([]), ids: files.map(({ id }) => id) }
}

/** A button that adds a file, and what was added so far. */
export const AttachedFilesRow = ({ kept: attached }: { kept: AttachedFiles }) => (
  <div className="flex flex-wrap items-center gap-2">
    <label className="relative">
      <input
        type="file"
        disabled={attached.busy}
        className="peer sr-only"
        onChange={(event) => {
          const [file] = event.target.files ?? []
          if (file) void attached.add(file)
          event.target.value = '' // the same file can be chosen again
        }}
      />
      <span
        className={cx(
          getButtonClass({ variant: 'quiet', size: 'small' }),
          'cursor-pointer peer-focus-visible:outline-2 peer-focus-visible:outline-offset-2 peer-focus-visible:outline-(--ring)',
        )}
      >
        <Paperclip aria-hidden="true" />
        {attached.busy ? 'Envoi du fichier…' : 'Joindre un fichier'}
      </span>
    </label>
    {attached.files.map(({ id, name, size }) => (
      <span
        key={id}
        className="inline-flex max-w-full items-center gap-1 rounded-button border border-line pl-3 text-[0.8125rem]"
      >
        <span className="truncate">{name}</span>
        <span className="shrink-0 text-ink-soft">{formatFileSize(size)}</span>
        <IconButton label={`Retirer ${name}`} icon={<X aria-hidden="true" />} onClick={() => attached.remove(id)} />
      </span>
    ))}
  </div>
)
