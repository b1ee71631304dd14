-- Neovim 0.11 or later. Put this file into ~/.config/nvim/plugin/ (or paste it into init.lua).
vim.filetype.add({ extension = { zrf = "zrf" } })

vim.lsp.config("zrf", {
  cmd = { "zrf", "lsp" },
  filetypes = { "zrf" },
  root_markers = { ".git" },
})
vim.lsp.enable("zrf")

vim.api.nvim_create_autocmd("FileType", {
  pattern = "zrf",
  callback = function(args)
    vim.bo.commentstring = "; %s"
    vim.bo.lisp = true
    vim.bo.expandtab = true
    vim.bo.shiftwidth = 2
    vim.bo.iskeyword = "33,35-39,42-58,60-255"
    vim.keymap.set("n", "gl", vim.lsp.codelens.run, { buffer = args.buf, desc = "play, show board" })
  end,
})

vim.api.nvim_create_autocmd({ "BufEnter", "InsertLeave", "LspAttach" }, {
  pattern = "*.zrf",
  callback = function() vim.lsp.codelens.refresh({ bufnr = 0 }) end,
})
