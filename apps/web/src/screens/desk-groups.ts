type GroupedPanel = { group?: string | undefined }
export type PanelGroup<P> = { label: string; panels: P[] }

/**
 * Rubrics under the name of their group, as they come; one without a name stands with the one before it. Where a reader
 * is left with a single group, or a desk has none, there are none.
 */
export function groupPanels<P extends GroupedPanel>(panels: readonly P[]): PanelGroup<P>[] {
  const groups = new Map<string, P[]>()
  let name: string | undefined
  for (const panel of panels) {
    name = panel.group ?? name
    if (name) groups.set(name, [...(groups.get(name) ?? []), panel])
  }
  const groupedCount = [...groups.values()].flat().length
  return groups.size < 2 || groupedCount < panels.length
    ? []
    : [...groups].map(([label, its]) => ({ label, panels: its }))
}
