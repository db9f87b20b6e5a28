import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { content, type SiteImage } from '@voisol/contract/content'
import Trash2 from 'lucide-react/icons/trash-2'
import { useState } from 'react'
import { Confirm, Dialog } from '../../../components/dialog.tsx'
import { EmptyState } from '../../../components/empty-state.tsx'
import { ErrorState } from '../../../components/error-state.tsx'
import { FileDrop } from '../../../components/file-drop.tsx'
import { SearchBox } from '../../../components/filter-bar.tsx'
import { IconButton } from '../../../components/icon-button.tsx'
import { Skeleton } from '../../../components/loading.tsx'
import { Pagination } from '../../../components/pagination.tsx'
import { getErrorReason } from '../../../lib/call.ts'
import { formatNumber } from '../../../lib/format.ts'
import { query, useAction } from '../../../lib/queries.ts'

const PAGE_SIZE = 12

function ImageTile({ image, onChoose }: { image: SiteImage; onChoose: (image: SiteImage) => void }) {
  const remove = useAction(content.removeImage, [content.images])
  return (
    <li className="relative">
      <button
        type="button"
        onClick={() => onChoose(image)}
        className="block w-full overflow-hidden rounded-card border border-line text-left hover:border-control"
      >
        <img src={image.src} alt="" loading="lazy" className="aspect-video w-full bg-page object-contain" />
        <span className="block p-2 pr-10 text-[0.8125rem]">
          <span className="block truncate font-medium">{image.name}</span>
          <span className="tabular block text-ink-soft">
            {formatNumber(image.width)} × {formatNumber(image.height)} px, {formatNumber(Math.ceil(image.size / 1000))}{' '}
            ko
          </span>
        </span>
      </button>
      <span className="absolute right-1 bottom-1">
        <Confirm
          trigger={<IconButton label={`Supprimer l’image ${image.name}`} icon={<Trash2 />} />}
          title="Supprimer cette image&nbsp;?"
          description={`«\u00a0${image.name}\u00a0» disparaîtra du site. Une image qu’un contenu en ligne emploie est gardée.`}
          action="Supprimer l’image"
          onConfirm={() => remove.run({ params: { id: image.id } })}
        />
      </span>
    </li>
  )
}

function ImageGrid({ onChoose }: { onChoose: (image: SiteImage) => void }) {
  const [{ q, page }, setView] = useState({ q: '', page: 1 })
  const { data, error, refetch } = useQuery({
    ...query(content.images, { query: { q, page, size: PAGE_SIZE } }),
    placeholderData: keepPreviousData,
  })
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Skeleton className="h-60 w-full" />
  return (
    <>
      {(data.total > 0 || q) && (
        <SearchBox label="Rechercher une image" value={q} onSearch={(next) => setView({ q: next, page: 1 })} />
      )}
      {data.total === 0 && (
        <EmptyState
          title={q ? 'Aucun résultat' : 'Aucune image'}
          why={
            q
              ? 'Aucune image ne porte ce nom. Essayez un autre mot, ou déposez l’image.'
              : 'Déposez une image ci-dessus\u00a0: elle reste ici, prête à resservir.'
          }
          because="chosen-here"
        />
      )}
      <ul className="grid grid-cols-2 gap-3 md:grid-cols-3">
        {data.items.map((image) => (
          <ImageTile key={image.id} image={image} onChoose={onChoose} />
        ))}
      </ul>
      {data.total > PAGE_SIZE && (
        <Pagination
          label="Images"
          page={page}
          size={PAGE_SIZE}
          total={data.total}
          onPage={(next) => setView({ q, page: next })}
        />
      )}
    </>
  )
}

type ImagePickerProps = { onChoose: (image: SiteImage) => void; onClose: () => void }

/** The pictures of the site, and the way to add one. */
export const ImagePicker = ({ onChoose, onClose }: ImagePickerProps) => (
  <Dialog title="Choisir une image" width="wide" open onOpenChange={(open) => !open && onClose()}>
    <div className="grid gap-4">
      <ImageDrop onDone={onChoose} />
      <ImageGrid onChoose={onChoose} />
    </div>
  </Dialog>
)

export function ImageDrop({ onDone }: { onDone: (image: SiteImage) => void }) {
  const { send, problem, sending } = useImageUpload(onDone)
  return (
    <div className="grid gap-2">
      <FileDrop
        accept={IMAGE_FILE_TYPES}
        label={sending ? 'Envoi en cours…' : 'Choisir un fichier'}
        hint="ou déposez-le ici. PNG, JPEG, WebP, AVIF ou GIF, 5&nbsp;Mo au plus."
        disabled={sending}
        onFile={send}
      />
      {problem && (
        <p role="alert" className="text-body text-danger">
          {problem}
        </p>
      )}
    </div>
  )
}

const MAX_IMAGE_BYTES = content.addImage.upload
const IMAGE_FILE_TYPES = '.png,.jpg,.jpeg,.webp,.avif,.gif'

/** Sends a picture; one that is too large is told before it is sent. */
function useImageUpload(onDone: (image: SiteImage) => void) {
  const [problem, setProblem] = useState('')
  const add = useAction(content.addImage, [content.images])
  const send = (file: File) => {
    setProblem('')
    if (file.size > MAX_IMAGE_BYTES)
      return setProblem('Cette image dépasse 5\u00a0Mo\u00a0: réduisez-la, puis déposez-la à nouveau.')
    void add
      .run({ query: { name: file.name.slice(-200) }, upload: file })
      .then(onDone, (error: unknown) => setProblem(getErrorReason(error)))
  }
  return { send, problem, sending: add.isPending }
}
