import type { JsonObject } from '../json.ts';

/** A picker: root folders, then those below one. */
export const FOLDER_TREE: JsonObject = {
  'x-ms-dynamic-values': { capability: 'file-picker', parameters: { isFolder: true }, 'value-path': 'Id' },
  'x-ms-dynamic-tree': {
    settings: { canSelectParentNodes: true, canSelectLeafNodes: false },
    open: {
      operationId: 'OpenFolders',
      itemValuePath: 'Id',
      itemTitlePath: 'Name',
      itemIsParent: '(HasMore eq true)',
      itemsPath: 'value',
      parameters: { mailbox: { parameterReference: 'mailbox' } },
    },
    browse: {
      operationId: 'BrowseFolders',
      itemValuePath: 'Id',
      itemTitlePath: 'Name',
      itemIsParent: '(HasMore eq true)',
      itemsPath: 'value',
      parameters: { id: { selectedItemValuePath: 'Id' }, mailbox: { parameterReference: 'mailbox' } },
    },
  },
};
/** The older form of a list. */
export const CONTACT_FOLDER: JsonObject = {
  'x-ms-summary': 'Folder',
  'x-ms-dynamic-values': {
    operationId: 'ListContactFolders',
    parameters: {},
    'value-collection': 'value',
    'value-path': 'id',
    'value-title': 'displayName',
  },
};
/** A list that depends on another parameter. */
export const TABLE: JsonObject = {
  'x-ms-dynamic-values': {
    operationId: 'ListTables',
    parameters: { dataset: { parameter: 'dataset' } },
    'value-collection': 'value',
    'value-path': 'Name',
    'value-title': 'DisplayName',
  },
};
