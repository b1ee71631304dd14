-- Neovim 0.7 or later. Put this file into ~/.config/nvim/plugin/ (or paste it into init.lua).
local command = { "zrf", "lsp" }
local client -- of Neovim 0.7, which does not keep clients by name

local function attach(buffer)
  local file = vim.api.nvim_buf_get_name(buffer)
  local config = { name = "zrf", cmd = command, root_dir = vim.fn.fnamemodify(file, ":p:h") }
  if vim.lsp.start then
    vim.lsp.start(config, { bufnr = buffer })
  else
    if not client or not vim.lsp.get_client_by_id(client) then client = vim.lsp.start_client(config) end
    if client then vim.lsp.buf_attach_client(buffer, client) end
  end
end

-- other languages use .inc files, too; a rules file begins with a form
vim.api.nvim_create_autocmd({ "BufRead", "BufNewFile" }, {
  pattern = { "*.zrf", "*.inc" },
  callback = function(args)
    local line = vim.fn.getline(vim.fn.search("^\\s*[^; \\t]", "cnw"))
    if args.file:match("%.zrf$") or line:match("^%s*%(") then vim.bo.filetype = "zrf" end
  end,
})

vim.api.nvim_create_autocmd("FileType", {
  pattern = "zrf",
  callback = function(args)
    vim.bo.commentstring = "; %s"
    vim.bo.lisp = true
    vim.bo.expandtab = true
    vim.bo.shiftwidth = 2
    vim.bo.iskeyword = "33,35-39,42-58,60-255"
    vim.bo.omnifunc = "v:lua.vim.lsp.omnifunc"
    for keys, action in pairs({ K = vim.lsp.buf.hover, gd = vim.lsp.buf.definition, grn = vim.lsp.buf.rename,
                                gra = vim.lsp.buf.code_action, grr = vim.lsp.buf.references,
                                gl = vim.lsp.codelens.run }) do
      vim.keymap.set("n", keys, action, { buffer = args.buf })
    end
    attach(args.buf)
  end,
})

vim.api.nvim_create_autocmd({ "BufEnter", "InsertLeave", "CursorHold" }, {
  pattern = { "*.zrf", "*.inc" },
  callback = function()
    if vim.bo.filetype == "zrf" then vim.lsp.codelens.refresh({ bufnr = 0 }) end
  end,
})
