import type { Plugin } from 'vite'

/**
 * In place of Vite's own: a part of the program is imported once all of it has come. A browser never asks again for a
 * module whose import failed, nor for one that a `modulepreload` missed; a `fetch` that failed it does.
 */
const HELPER = `
const known = {}
const style = (href) => new Promise((done, missed) => {
  const link = document.createElement('link')
  link.rel = 'stylesheet'
  link.href = href
  link.onload = done
  link.onerror = () => {
    link.remove()
    missed(new Error(href))
  }
  document.head.append(link)
})
const script = async (href) => {
  const answer = await fetch(href)
  if (!answer.ok) throw new Error(href)
  await answer.arrayBuffer()
}
const ask = (file) => {
  const href = '/' + file
  if (document.querySelector('link[href="' + href + '"]')) return
  return (file.endsWith('.css') ? style : script)(href).catch((error) => {
    delete known[file]
    throw error
  })
}
export const __vitePreload = (load, files = []) =>
  Promise.all(files.map((file) => (known[file] ??= Promise.resolve(ask(file))))).then(load)
`

export const wholeParts = (): Plugin => ({
  name: 'voisol-whole-parts',
  apply: (_, { command, isSsrBuild }) => command === 'build' && !isSsrBuild,
  transform: { filter: { id: /\0vite\/preload-helper\.js$/ }, handler: () => ({ code: HELPER, map: null }) },
})
