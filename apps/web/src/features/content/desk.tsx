import { type ContentRecord, content } from '@voisol/contract/content'
import { useEffect, useRef, useState } from 'react'
import { useCan } from '../../lib/can.tsx'
import { focusHeading } from '../../lib/navigation.ts'
import { useDesk } from './address.ts'
import { Editor } from './editor.tsx'
import { NEW_KINDS } from './labels.ts'
import { ContentList } from './list.tsx'
import { LoadedEditor } from './loaded-editor.tsx'

/** The list and each content share a path: going from one to the other is announced as a new page would be. */
function useAnnounced(view: string) {
  const last = useRef(view)
  useEffect(() => {
    if (last.current === view) return
    last.current = view
    window.scrollTo(0, 0)
    return focusHeading()
  }, [view])
}

/** What the site publishes: the list, and one content at a time. */
export default function ContentDesk() {
  const { id, nouveau, settle } = useDesk()
  const [made, setMade] = useState<ContentRecord | null>(null)
  if (made && !id && !nouveau) setMade(null)
  const writes = useCan()(content.create)
  const asked = writes ? nouveau : undefined
  const kind = NEW_KINDS.find((one) => one === asked) ?? (made && made.id === id ? made.kind : undefined)
  const keep = (record: ContentRecord) => {
    setMade(record)
    settle(record.id)
  }
  useAnnounced(kind ? 'nouveau' : (id ?? 'liste'))
  if (kind) return <Editor key="nouveau" kind={kind} first={null} onCreated={keep} />
  return id ? <LoadedEditor key={id} id={id} /> : <ContentList />
}
