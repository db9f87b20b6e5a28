import { type Attachment, MAX_ATTACHMENT_BYTES, MAX_ATTACHMENTS } from '@voisol/contract/support'
import Paperclip from 'lucide-react/icons/paperclip'
import X from 'lucide-react/icons/x'
import { useState } from 'react'
import { explainError } from '../../lib/explain.ts'
import { toast } from '../../lib/toast.ts'
import { getButtonClass } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { formatFileSize } from '../../ui/document-list.tsx'
import { IconButton } from '../../ui/icon-button.tsx'

export type AttachedFiles = ReturnType<typeof useAttachedFiles>

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
