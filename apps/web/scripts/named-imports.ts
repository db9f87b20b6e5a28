import { dirname, relative, resolve } from 'node:path'
import type { Plugin } from 'vite'

/** For the build that renders: each page's import says which module it loads, so that the browser is told in advance. */
export const namedImports = (root: string): Plugin => ({
  name: 'voisol-named-imports',
  enforce: 'pre',
  apply: (_, { isSsrBuild }) => isSsrBuild === true,
  transform(code, id) {
    if (!id.startsWith(resolve(root, 'src/site'))) return null
    const named = code.replace(/\(\) => import\('(\.[^']+)'\)/g, (load, path: string) => {
      const module = relative(root, resolve(dirname(id), path))
      return `Object.assign(${load}, { module: ${JSON.stringify(module)} })`
    })
    return named === code ? null : { code: named, map: null }
  },
})
