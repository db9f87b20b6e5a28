import { type ContentRecord, content } from '@voisol/contract/content'
import { useEffect, useRef, useState } from 'react'
import { useCan } from '../../lib/can.tsx'
import { focusHeading } from '../../lib/navigation.ts'
import { useContentNavigation } from './address.ts'
import { ContentEditor } from './editor.tsx'
import { CREATABLE_CONTENT_KINDS } from './labels.ts'
import { ContentList } from './list.tsx'
import { LoadedEditor } from './loaded-editor.tsx'

/** The list and each content share a path: going from one to the other is announced as a new page would be. */
function useFocusOnViewChange(view: string) {
  const last = useRef(view)
  useEffect(() => {
    if (last.current === view) return
    last.current = view
    window.scrollTo(0, 0)
    return focusHeading()
  }, [view])
}

/** What the site publishes: the list, and one content at a time. */
export default function ContentAdminPage() {
  const { id, nouveau, settle } = useContentNavigation()
  const [made, setMade] = useState<ContentRecord | null>(null)
  if (made && !id && !nouveau) setMade(null)
  const canWrite = useCan()(content.create)
  const requestedKind = canWrite ? nouveau : undefined
  const kind =
    CREATABLE_CONTENT_KINDS.find((one) => one === requestedKind) ?? (made && made.id === id ? made.kind : undefined)
  const openCreated = (record: ContentRecord) => {
    setMade(record)
    settle(record.id)
  }
  useFocusOnViewChange(kind ? 'nouveau' : (id ?? 'liste'))
  if (kind) return <ContentEditor key="nouveau" kind={kind} first={null} onCreated={openCreated} />
  return id ? <LoadedEditor key={id} id={id} /> : <ContentList />
}
